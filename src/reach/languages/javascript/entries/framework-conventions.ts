/** The files that a framework loads because of their path, in a package that depends on it. */
interface Convention {
  readonly framework: string;
  /** Any of these makes the convention hold; an empty list means that it holds everywhere. */
  readonly packages: readonly string[];
  /** Matches the path below the package's folder, without extension. */
  readonly entry: RegExp;
  /** As `entry`, for paths that are routes: they count also where a folder in them has a name of tests. */
  readonly routes?: RegExp;
}

const nothing = /^$/;

/** Conventions of frameworks, from the pages of their documentation on project structure and file conventions. */
export const conventions: readonly Convention[] = [
  {
    framework: 'Next.js',
    packages: ['next', 'blitz'],
    entry:
      /^(?:src\/)?(?:middleware|proxy|instrumentation(?:-client)?|mdx-components|sentry\.(?:client|server|edge)\.config)$/,
    routes:
      /^(?:src\/)?(?:pages\/.+|app\/(?:.+\/)?(?:page|layout|route|loading|error|global-error|not-found|global-not-found|template|default|forbidden|unauthorized|sitemap|robots|manifest|(?:opengraph|twitter)-image\d?|icon\d?|apple-icon\d?))$/,
  },
  { framework: 'NestJS', packages: ['@nestjs/core'], entry: /^src\/main$/ },
  {
    framework: 'SvelteKit',
    packages: ['@sveltejs/kit'],
    entry: /^src\/(?:hooks(?:\.(?:server|client))?|service-worker(?:\/index)?|params\/.+|instrumentation\.server)$/,
    routes: /^src\/routes\/.+$/,
  },
  {
    framework: 'Nuxt',
    packages: ['nuxt', 'nuxt3', 'nuxt-edge', 'nuxt-nightly', '@nuxt/kit'],
    entry:
      /^(?:src\/|app\/|client\/)?(?:app|error|router\.options|app\.config|(?:layouts|components|plugins|middleware|composables|utils|store|stores|modules|shared|serverMiddleware)\/.+)$/,
    routes: /^(?:src\/|app\/|client\/)?(?:pages|server|api)\/.+$/,
  },
  {
    framework: 'Nitro',
    packages: ['nitropack', 'nitro', 'nitro-nightly', '@analogjs/platform'],
    entry: /^(?:src\/)?(?:server\/)?(?:plugins|middleware|tasks|utils)\/.+$/,
    routes: /^(?:src\/)?(?:server\/)?(?:api|routes)\/.+$/,
  },
  {
    framework: 'Astro',
    packages: ['astro'],
    entry: /^src\/(?:middleware(?:\/index)?|content\.config|live\.config|content\/.+|actions(?:\/index)?)$/,
    routes: /^src\/pages\/.+$/,
  },
  {
    framework: 'Remix',
    packages: [
      '@remix-run/react',
      '@remix-run/node',
      '@remix-run/dev',
      '@react-router/dev',
      '@remix-run/server-runtime',
    ],
    entry: /^app\/(?:root|entry\.(?:client|server|worker)|routes|router|.+\/(?:route|routes))$/,
    routes: /^app\/routes\/.+$/,
  },
  {
    framework: 'Angular',
    packages: ['@angular/core'],
    entry: /^src\/(?:main(?:\.server|\.browser)?|polyfills|server|public[-_]api)$/,
  },
  {
    framework: 'Gatsby',
    packages: ['gatsby'],
    entry: /^(?:src\/(?:templates|gatsby-theme-[^/]+|html)(?:\/.+|$)|gatsby-(?:browser|ssr|node))$/,
    routes: /^src\/(?:pages|api)\/.+$/,
  },
  {
    framework: 'Docusaurus',
    packages: ['@docusaurus/core'],
    entry: /^(?:src\/(?:theme|plugins|clientModules)\/.+|(?:docs|blog|versioned_docs|i18n)\/.+)$/,
    routes: /^src\/pages\/.+$/,
  },
  {
    framework: 'VitePress',
    packages: ['vitepress', 'vuepress', '@vuepress/core', '@vuepress/cli'],
    entry:
      /^(?:.+\/)?\.(?:vitepress|vuepress)\/(?:(?:theme|components|layouts|styles)(?:\/.+|$)|client(?:AppEnhance)?|enhanceApp)/,
  },
  {
    framework: 'Create React App',
    packages: ['react-scripts', 'react-app-rewired'],
    entry: /^src\/(?:index|setupProxy)$/,
  },
  { framework: 'Vue CLI', packages: ['@vue/cli-service'], entry: /^src\/(?:main|background|preload)$/ },
  {
    framework: 'Quasar',
    packages: ['quasar', '@quasar/app', '@quasar/app-vite', '@quasar/app-webpack'],
    entry:
      /^(?:src\/(?:App|main|router\/.+|stores?\/.+|boot\/.+|layouts\/.+|pages\/.+)|src-(?:electron|ssr|pwa|capacitor|bex)\/.+)$/,
  },
  {
    framework: 'Expo',
    packages: ['expo', 'expo-router'],
    entry: /^(?:App|index)$/,
    routes: /^(?:src\/)?app\/.+$/,
  },
  { framework: 'React Native', packages: ['react-native'], entry: /^(?:index|App)(?:\.(?:ios|android|web|windows))?$/ },
  {
    framework: 'NativeScript',
    packages: ['@nativescript/core', 'tns-core-modules'],
    entry: /^(?:app|src)\/(?:main|app)$/,
  },
  {
    framework: 'Electron',
    packages: ['electron', 'electron-vite', 'electron-webpack', 'electron-nightly'],
    entry:
      /^(?:(?:src|app|electron|src\/electron|packages)\/)?(?:main|preload|renderer|background|electron(?:-main)?)(?:\/(?:src\/)?(?:index|main|preload|renderer|background))?$|^electron\/(?:index|.+-preload|preload.*)$/,
  },
  {
    framework: 'Meteor',
    packages: ['meteor'],
    entry:
      /^(?!imports\/|tests?\/|public\/|private\/)(?:.+\/)?(?:client|server|lib|both|common|collections)\/.+|^(?:packages\/.+|[^/]+)$/,
  },
  { framework: 'Ember', packages: ['ember-source', 'ember-cli'], entry: /^(?:app|addon|lib)\/.+$/ },
  {
    framework: 'AdonisJS',
    packages: ['@adonisjs/core', '@adonisjs/framework', '@adonisjs/fold'],
    entry:
      /^(?:(?:bin|start|config|providers|commands|app|database|inertia|contracts|resources)\/.+|ace|server|adonisrc)$/,
  },
  {
    framework: 'Strapi',
    packages: ['@strapi/strapi', 'strapi', '@strapi/sdk-plugin'],
    entry: /^(?:src|config|api|extensions|components|middlewares|plugins|hooks|database|admin|server)\/.+$/,
  },
  {
    framework: 'RedwoodJS',
    packages: ['@redwoodjs/core', '@redwoodjs/api', '@redwoodjs/web'],
    entry:
      /^(?:(?:api\/)?src\/(?:functions|graphql|services|directives|subscriptions|lib|server|jobs|realtime)(?:\/.+|$)|(?:web\/)?src\/(?:index|entry\.(?:client|server)|App|Routes|Document|pages\/.+|layouts\/.+))$/,
  },
  {
    framework: 'Egg',
    packages: ['egg', '@midwayjs/core', '@midwayjs/bootstrap'],
    entry: /^(?:src|app|config)\/.+$|^(?:agent|app)$/,
  },
  { framework: 'Sails', packages: ['sails'], entry: /^(?:api|config|app|assets\/js|tasks)\/.+$/ },
  {
    framework: 'LoopBack',
    packages: ['loopback-boot', '@loopback/boot'],
    entry:
      /^(?:(?:server|common|client)\/.+|src\/(?:controllers|repositories|datasources|observers|services|interceptors|models|middleware)\/.+)$/,
  },
  {
    framework: 'Moleculer',
    packages: ['moleculer'],
    entry: /^(?:src\/)?(?:(?:services|mixins|middlewares)\/.+|moleculer\.config)$/,
  },
  {
    framework: 'Fastify',
    packages: ['fastify-cli', '@fastify/autoload', 'fastify-autoload'],
    entry: /^(?:src\/)?(?:plugins|routes|services)\/.+$/,
  },
  {
    framework: 'Medusa',
    packages: ['@medusajs/medusa', '@medusajs/framework'],
    entry:
      /^(?:src\/(?:api|admin|subscribers|jobs|workflows|modules|links|loaders|services|models|migrations|strategies)\/.+|medusa-config)$/,
  },
  { framework: 'Payload', packages: ['payload'], entry: /^(?:src\/)?payload(?:\.|-)config$/ },
  { framework: 'Keystone', packages: ['@keystone-6/core', '@keystonejs/core'], entry: /^(?:keystone|schema|index)$/ },
  { framework: 'Sanity', packages: ['sanity', '@sanity/base'], entry: /^(?:sanity\.(?:config|cli)|schemas\/schema)$/ },
  {
    framework: 'SolidStart',
    packages: ['@solidjs/start', 'solid-start', '@builder.io/qwik-city', '@qwik.dev/router'],
    entry: /^src\/(?:app|root|entry[.-].+|middleware(?:\/.+)?|global)$/,
    routes: /^src\/routes\/.+$/,
  },
  {
    framework: 'TanStack Start',
    packages: [
      '@tanstack/react-start',
      '@tanstack/start',
      '@tanstack/solid-start',
      '@tanstack/router-plugin',
      '@tanstack/router-vite-plugin',
      '@tanstack/router-cli',
    ],
    entry: /^(?:src|app)\/(?:router|client|ssr|server|start|global-middleware|routeTree\.gen)$/,
    routes: /^(?:src|app)\/routes\/.+$/,
  },
  {
    framework: 'Vike',
    packages: ['vike', 'vite-plugin-ssr', 'honox', 'waku', 'rakkasjs', '@lazarv/react-server', 'rwsdk', 'fresh'],
    entry:
      /^(?:(?:src\/)?renderer\/.+|(?:.+\/)?(?:\+[\w.]+|.+\.page(?:\.(?:client|server|route))?)|app\/(?:client|server)|src\/(?:entries(?:\.\w+)?|worker))$/,
    routes: /^(?:src\/|app\/)?(?:pages|routes|islands)\/.+$/,
  },
  {
    framework: 'Umi',
    packages: [
      'umi',
      '@umijs/max',
      'dumi',
      'ice',
      '@ice/app',
      'rax-app',
      '@tarojs/taro',
      '@dcloudio/uni-app',
      '@dcloudio/vite-plugin-uni',
    ],
    entry:
      /^(?:(?:src\/)?(?:app|main|global|access|(?:pages|layouts|models|locales|wrappers|plugins|store)\/.+)|config\/.+)$/,
  },
  { framework: 'Stencil', packages: ['@stencil/core'], entry: /^src\/(?:components|pages|global)\/.+$|^src\/index$/ },
  {
    framework: 'WXT',
    packages: ['wxt', 'plasmo'],
    entry:
      /^(?:src\/)?(?:entrypoints\/.+|(?:popup|options|newtab|sidepanel|devtools|background|contents?|tabs|sandboxe?s?)(?:\/.+)?)$/,
  },
  { framework: 'Raycast', packages: ['@raycast/api'], entry: /^src\/[^/]+$/ },
  {
    framework: 'Gridsome',
    packages: ['gridsome'],
    entry: /^(?:src\/(?:main|pages\/.+|templates\/.+|layouts\/.+)|gridsome\.(?:server|client))$/,
  },
  { framework: 'Hubot', packages: ['hubot'], entry: /^(?:src\/)?scripts\/.+$/ },
  { framework: 'Hexo', packages: ['hexo'], entry: /^(?:themes\/[^/]+\/)?scripts\/.+$/ },
  { framework: 'Azure Functions', packages: ['@azure/functions'], entry: /^(?:src\/functions\/.+|[^/]+\/index)$/ },
  {
    framework: 'Cloudflare Pages',
    packages: ['wrangler', '@cloudflare/workers-types'],
    entry: /^(?:src\/(?:worker|index)|_worker)$/,
    routes: /^functions\/.+$/,
  },
  { framework: 'AWS Amplify', packages: ['@aws-amplify/backend', 'aws-amplify'], entry: /^amplify\/.+$/ },
  {
    framework: 'Architect',
    packages: ['@architect/architect', '@architect/functions'],
    entry: /^src\/(?:http|events|queues|scheduled|ws|macros|plugins|shared|views)\/.+$/,
  },
  { framework: 'Directus', packages: ['@directus/extensions-sdk'], entry: /^(?:src|extensions)\/.+$/ },
  {
    framework: 'Module federation',
    packages: ['@module-federation/enhanced', '@module-federation/vite'],
    entry: /^src\/(?:bootstrap|index|main)$/,
  },
  {
    framework: 'Vercel functions',
    packages: ['@vercel/node', 'vercel', '@vercel/edge'],
    entry: nothing,
    routes: /^api\/.+$/,
  },
  {
    framework: 'Serverless functions',
    packages: [],
    entry: /^(?:(?:src|public|app)\/)?(?:service-?worker\/)?(?:sw|service-?worker|service-?worker\/index)$/i,
    routes: /^(?:.+\/)?(?:netlify\/(?:edge-)?functions|supabase\/functions)\/.+$/,
  },
];
