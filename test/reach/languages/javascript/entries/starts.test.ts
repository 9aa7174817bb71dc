import { describe, expect, test } from 'vitest';
import { read } from '../reading.js';

type Tree = Readonly<Record<string, string>>;

const manifest = (content: unknown) => ({ 'package.json': JSON.stringify(content) });
const scripts = (start: string, others: Record<string, string> = {}) =>
  manifest({ main: 'other.js', scripts: { start, ...others } });

/** Each tree has one file that imports `used`; production must reach it. */
const reachUsed = async (tree: Tree, file: string) => {
  const found = await read({ 'other.js': '', [file]: "require('used')", ...tree }, ['used']);
  expect(found.sitesOf('used')).toMatchObject([{ file, role: 'prod', reached: true }]);
};

describe('production starts at what a command runs', () => {
  test.each<[string, Tree, string]>([
    ['through npm', scripts('npm run x', { x: 'node tools/a.js' }), 'tools/a.js'],
    ['through npm-run-all and patterns', scripts('run-p go:*', { 'go:a': 'node tools/a.js' }), 'tools/a.js'],
    ['through concurrently', scripts('concurrently "npm:go" "vite"', { go: 'node tools/a.js' }), 'tools/a.js'],
    ['through cross-env and dotenv', scripts('cross-env A=1 dotenv -e .env -- node tools/a.js'), 'tools/a.js'],
    ['through yarn', scripts('yarn tsx watch tools/a.ts'), 'tools/a.ts'],
    ['through pnpm exec', scripts('pnpm exec tsx tools/a.ts'), 'tools/a.ts'],
    ['through npx with options', scripts('npx -y tsx tools/a.ts'), 'tools/a.ts'],
    ['through bun', scripts('bun run tools/a.ts'), 'tools/a.ts'],
    ['through deno', scripts('deno run -A tools/a.ts'), 'tools/a.ts'],
    ['through nodemon', scripts('nodemon --exec ts-node tools/a.ts'), 'tools/a.ts'],
    ['through env-cmd', scripts('env-cmd -f .env node tools/a.js'), 'tools/a.js'],
    ['through a program that is not known', scripts('some-runner --flag tools/a.js'), 'tools/a.js'],
    ['through pm2', scripts('pm2-runtime start tools/a.js --name x'), 'tools/a.js'],
    [
      'through pm2 and npm',
      { Procfile: 'web: pm2-runtime start npm -- start', ...scripts('node tools/a.js') },
      'tools/a.js',
    ],
    ['with a preload', scripts('node --import=./tools/a.mjs other.js'), 'tools/a.mjs'],
    [
      'through a shell script',
      { ...scripts('sh ./run.sh'), 'run.sh': '#!/bin/sh\nset -e\n# node no.js\nexec node tools/a.js "$@"\n' },
      'tools/a.js',
    ],
    [
      'in another folder',
      { ...scripts('npm --prefix api start'), 'api/package.json': '{"scripts":{"start":"node tools/a.js"}}' },
      'api/tools/a.js',
    ],
    [
      'in a workspace',
      {
        ...scripts('yarn workspace @x/api go'),
        'api/package.json': '{"name":"@x/api","scripts":{"go":"node tools/a.js"}}',
      },
      'api/tools/a.js',
    ],
    ['of a build', scripts('x', { build: 'esbuild tools/a.ts --bundle' }), 'tools/a.ts'],
  ])('%s', async (_, tree, file) => reachUsed(tree, file));

  test.each<[string, Tree]>([
    ['of a Dockerfile', { Dockerfile: 'FROM node\nWORKDIR /app\nCMD ["node", "tools/a.js"]' }],
    ['of a Dockerfile, by its place in the image', { Dockerfile: 'FROM node\nENTRYPOINT node /srv/x/tools/a.js' }],
    ['of a Dockerfile, through a shell', { Dockerfile: 'FROM node\nCMD ["sh", "-c", "cd /app && node tools/a.js"]' }],
    [
      'of a Dockerfile, through scripts of two levels',
      {
        'docker/Dockerfile': 'FROM node\nCOPY docker/entrypoint.sh /usr/bin/\nENTRYPOINT ["entrypoint.sh"]',
        'docker/entrypoint.sh': '#!/bin/bash\n. /app/start.sh\n',
        'start.sh': 'exec gosu app node tools/a.js',
      },
    ],
    [
      'of s6',
      {
        'docker/s6-overlay/s6-rc.d/web/run': '#!/command/with-contenv sh\ncd /app\nexec s6-setuidgid x node tools/a.js',
      },
    ],
    ['of compose', { 'docker-compose.yml': 'services:\n  x:\n    build: .\n    command: node tools/a.js\n' }],
    [
      'of compose, as a list',
      { 'compose.yaml': 'services:\n  x:\n    command:\n      - node\n      - "tools/a.js"\n' },
    ],
    ['of a Procfile', { Procfile: 'clock: node tools/a.js' }],
    ['of systemd', { 'deploy/x.service': '[Service]\nExecStart=/usr/bin/node /opt/x/tools/a.js\n' }],
    ['of supervisord', { 'supervisord.conf': '[program:x]\ncommand=node tools/a.js\n' }],
    ['of PM2', { 'ecosystem.config.js': "module.exports = { apps: [{ name: 'x', script: './tools/a.js' }] }" }],
    ['of PM2 in JSON', { 'ecosystem.json': '{"apps":[{"script":"tools/a.js"}]}' }],
  ])('%s', async (_, tree) => reachUsed({ ...manifest({}), ...tree }, 'tools/a.js'));
});

describe('production starts at what a manifest names', () => {
  test.each<[string, Tree, string]>([
    ['exports a folder of tests', manifest({ exports: { './testing': './testing/index.js' } }), 'testing/index.js'],
    ['imports', manifest({ imports: { '#db': { node: './tools/a.js' } } }), 'tools/a.js'],
    ['bin in a folder', manifest({ directories: { bin: './tools' } }), 'tools/a.js'],
    ['fields of a framework', manifest({ n8n: { nodes: ['dist/tools/a.node.js'] } }), 'tools/a.node.ts'],
    ['commands of oclif', manifest({ oclif: { commands: './dist/tools' } }), 'src/tools/b/a.ts'],
    ['modules of Meteor', manifest({ meteor: { mainModule: { client: 'tools/a.js' } } }), 'tools/a.js'],
    ['an action', { 'action.yml': 'runs:\n  using: node20\n  main: tools/index.js\n' }, 'tools/index.js'],
    ['a built action', { 'action.yml': "runs:\n  post: 'dist/post/index.js'\n" }, 'src/post.ts'],
    [
      'SAM',
      { 'template.yaml': 'Resources:\n  F:\n    Properties:\n      CodeUri: tools/fn/\n      Handler: a.handler\n' },
      'tools/fn/a.js',
    ],
    ['Serverless', { 'serverless.yml': 'functions:\n  a:\n    handler: tools/a.main\n' }, 'tools/a.ts'],
    ['Cloudflare', { 'wrangler.toml': 'main = "tools/a.ts"' }, 'tools/a.ts'],
    ['a CDK app', { 'cdk.json': '{"app":"npx ts-node --prefer-ts-exts tools/a.ts"}' }, 'tools/a.ts'],
    ['an extension', { 'manifest.json': '{"content_scripts":[{"js":["tools/a.js"]}]}' }, 'tools/a.js'],
    ["an extension's worker", { 'tools/manifest.json': '{"background":{"service_worker":"a.js"}}' }, 'tools/a.js'],
    [
      'scripts of Angular',
      { 'angular.json': '{"projects":{"p":{"root":"","architect":{"build":{"options":{"scripts":["tools/a.js"]}}}}}}' },
      'tools/a.js',
    ],
    [
      'Nest in a monorepo',
      { 'nest-cli.json': '{"projects":{"x":{"entryFile":"begin","sourceRoot":"tools/x"}}}' },
      'tools/x/begin.ts',
    ],
    ['AdonisJS', { '.adonisrc.json': '{"preloads":["./tools/a"]}' }, 'tools/a.ts'],
    ['Vercel', { 'vercel.json': '{"builds":[{"src":"tools/*.js"}]}' }, 'tools/a.js'],
    ['a page of a template', { 'views/x.ejs': '<script src="/demo/a.js"></script>' }, 'public/demo/a.js'],
  ])('%s', async (_, tree, file) => reachUsed({ ...manifest({}), ...tree }, file));
});

describe('production starts at what a build names', () => {
  test.each<[string, Tree, string]>([
    [
      'Vite',
      {
        'vite.config.ts':
          "export default defineConfig(({ mode }) => { return { build: { rollupOptions: { input: { a: resolve(__dirname, 'tools/a.ts') } } } } })",
      },
      'tools/a.ts',
    ],
    [
      'a library of Vite',
      { 'vite.config.js': "export default { build: { lib: { entry: 'tools/a.ts' } } }" },
      'tools/a.ts',
    ],
    [
      'the root of Vite',
      { 'vite.config.js': "export default { root: 'client', build: { rollupOptions: { input: ['tools/a.ts'] } } }" },
      'client/tools/a.ts',
    ],
    [
      'Vite by the URL of the file',
      {
        'x/vite.config.js':
          "const r = fileURLToPath(new URL('./tools/a.ts', import.meta.url)); export default { build: { rollupOptions: { input: r } } }",
      },
      'x/tools/a.ts',
    ],
    ['webpack', { 'webpack.config.js': "module.exports = { entry: './tools/a.js' }" }, 'tools/a.js'],
    [
      'webpack, in a function',
      {
        'webpack.config.js':
          "module.exports = (env) => { const config = {}; config.entry = () => ({ a: { import: ['./tools/a.js'] } }); return config }",
      },
      'tools/a.js',
    ],
    [
      'webpack, in one of several',
      {
        'webpack/prod.js':
          "const src = path.join(__dirname, '../tools'); module.exports = [{}, { entry: { a: `${src}/a.js` } }]",
      },
      'tools/a.js',
    ],
    [
      'rspack',
      { 'rspack.config.ts': "export default { context: __dirname + '/tools', entry: { a: './a.ts' } }" },
      'tools/a.ts',
    ],
    [
      'esbuild in a script',
      {
        ...manifest({ scripts: { build: 'node make.mjs' } }),
        'make.mjs': "await build({ entryPoints: ['tools/a.ts'] })",
      },
      'tools/a.ts',
    ],
    ['Rollup', { 'rollup.config.mjs': "export default [{ input: 'tools/a.js' }]" }, 'tools/a.js'],
    ['tsup', { 'tsup.config.ts': "export default defineConfig({ entry: ['tools/**/*.ts'] })" }, 'tools/x/a.ts'],
    ['unbuild', { 'build.config.ts': "export default defineBuildConfig({ entries: ['./tools/a'] })" }, 'tools/a.ts'],
    ['Parcel', manifest({ source: 'tools/a.js' }), 'tools/a.js'],
    [
      'Electron Forge',
      {
        'forge.config.js':
          "module.exports = { plugins: [{ config: { renderer: { entryPoints: [{ js: './tools/r.js', preload: { js: './tools/a.js' } }] } } }] }",
      },
      'tools/a.js',
    ],
    [
      'Laravel',
      { 'vite.config.js': "export default { plugins: [laravel(['resources/tools/a.js'])] }" },
      'resources/tools/a.js',
    ],
    ['Symfony', { 'webpack.config.js': "Encore.addEntry('app', './tools/a.js')" }, 'tools/a.js'],
    [
      'pages of Vue CLI',
      { 'vue.config.js': "module.exports = { pages: { a: { entry: 'tools/a.js' } } }" },
      'tools/a.js',
    ],
    [
      'module federation',
      { 'webpack.config.js': "new ModuleFederationPlugin({ exposes: { './A': './tools/a.js' } })" },
      'tools/a.js',
    ],
  ])('%s', async (_, tree, file) => reachUsed({ ...manifest({}), ...tree }, file));
});

describe('production starts where a framework says', () => {
  test.each<[string, string[], string]>([
    ['Next.js, in a folder named as tests are', ['next'], 'pages/api/test/run.ts'],
    ['Next.js, in a folder of benches', ['next'], 'pages/bench/index.tsx'],
    ['Next.js, in the app router', ['next'], 'app/docs/test/page.tsx'],
    ['Nuxt', ['nuxt'], 'server/api/tools/a.get.ts'],
    ['layers of Nuxt', ['nuxt'], 'layers/x/plugins/a.ts'],
    ['SvelteKit', ['@sveltejs/kit'], 'src/routes/test/+page.server.ts'],
    ['Remix', ['@remix-run/react'], 'app/routes/demo.tsx'],
    ['React Router', ['@react-router/dev'], 'app/routes/test/a.tsx'],
    ['Astro', ['astro'], 'src/pages/test/a.ts'],
    ['Docusaurus', ['@docusaurus/core'], 'src/theme/Tools/a.js'],
    ['VitePress', ['vitepress'], 'docs/.vitepress/theme/index.ts'],
    ['Electron', ['electron'], 'electron/preload.js'],
    ['Ember', ['ember-source'], 'app/tools/a.js'],
    ['AdonisJS', ['@adonisjs/core'], 'start/routes.ts'],
    ['Strapi', ['@strapi/strapi'], 'src/api/tools/controllers/a.js'],
    ['RedwoodJS', ['@redwoodjs/core'], 'api/src/functions/a.ts'],
    ['Expo', ['expo'], 'app/tools/a.tsx'],
    ['Nest, in an application', ['@nestjs/core'], 'apps/x/src/main.ts'],
    ['Vercel', ['@vercel/node'], 'api/tools/a.ts'],
    ['Netlify', [], 'netlify/functions/tools/a.ts'],
    ['a service worker', [], 'src/service-worker.ts'],
    ['Fastify', ['@fastify/autoload'], 'routes/tools/a.js'],
    ['browser extensions', ['wxt'], 'entrypoints/background.ts'],
  ])('%s', async (_, packages, file) => {
    await reachUsed(manifest({ dependencies: Object.fromEntries(packages.map((name) => [name, '1'])) }), file);
  });

  test('Meteor', async () => {
    await reachUsed({ '.meteor/packages': '', ...manifest({}) }, 'client/tools/a.js');
  });
});

describe('production loads by name', () => {
  test.each<[string, string, string]>([
    ['a forked file', "fork(__dirname + '/tools/a.js')", 'tools/a.js'],
    ['a forked file, from the working directory', "fork('./tools/a.js')", 'tools/a.js'],
    ['a file that an imported function forks', "import { fork } from './other'; fork(`./tools/a.js`)", 'tools/a.js'],
    ['a file that is forked by a name', "const job =\n  './tools/a.js'\nthis.pool.fork(job, [])", 'tools/a.js'],
    ['a process of Electron', "utilityProcess.fork(join('tools', 'a.js'))", 'tools/a.js'],
    [
      'a forked file by a variable',
      "const p = path.join(__dirname, 'tools'); cp.fork(path.resolve(p, 'a.js'))",
      'tools/a.js',
    ],
    ['a spawned file', "spawn(process.execPath, [path.join(__dirname, 'tools/a.js')])", 'tools/a.js'],
    ['a command', "require('node:child_process').exec('node tools/a.js --x')", 'tools/a.js'],
    ['a worker', "new Worker(new URL('./tools/a.js', import.meta.url))", 'tools/a.js'],
    ["a worker of a browser, by its server's path", "new Worker('/tools/a.js')", 'tools/a.js'],
    [
      'a preload',
      "new BrowserWindow({ webPreferences: { preload: path.join(__dirname, 'scripts/preload.js') } })",
      'scripts/preload.js',
    ],
    ['files of a pattern', "import.meta.glob('./docs/*.ts')", 'docs/a.ts'],
    ['files of a pattern with braces', "import.meta.glob(['./docs/**/*.{ts,js}'], { eager: true })", 'docs/x/a.js'],
    ["webpack's context", "require.context('./demo', true, /\\.js$/)", 'demo/x/a.js'],
    [
      'what a folder has',
      "for (const f of fs.readdirSync(path.join(__dirname, 'tools'))) require(path.join(__dirname, 'tools', f))",
      'tools/a.js',
    ],
    [
      'what a folder has, with import',
      "const dir = new URL('./tools/', import.meta.url); for (const f of await readdir(dir)) await import(`${dir}/${f}`)",
      'tools/a.js',
    ],
    ['what a pattern finds', "for (const f of glob.sync('tools/**/*.js')) require(path.resolve(f))", 'tools/x/a.js'],
    ['a folder, by a library', "requireDirectory(module, './tools')", 'tools/a.js'],
    ['a folder of plugins', "app.register(AutoLoad, { dir: join(__dirname, 'tools') })", 'tools/x/a.js'],
    ['entities', "new DataSource({ entities: [__dirname + '/tools/*.entity{.ts,.js}'] })", 'tools/a.entity.js'],
    ['a function of a stack', "new NodejsFunction(this, 'x', { entry: 'tools/a.ts' })", 'tools/a.ts'],
    ['a service worker', "navigator.serviceWorker.register('/tools/a.js')", 'public/tools/a.js'],
  ])('%s', async (_, code, file) => {
    await reachUsed({ ...manifest({ main: 'm.js' }), 'm.js': code }, file);
  });

  test.each<[string, string, string]>([
    ['what a folder of data has', "fs.readdirSync(path.join(__dirname, 'tools'))", 'tools/a.js'],
    ['what comments say', "// fork(__dirname + '/tools/a.js')", 'tools/a.js'],
  ])('but not %s', async (_, code, file) => {
    const found = await read({ ...manifest({ main: 'm.js' }), 'm.js': code, [file]: "require('used')" }, ['used']);
    expect(found.sitesOf('used')).toMatchObject([{ reached: false }]);
  });
});

describe('the start of production', () => {
  const trees: readonly Tree[] = [
    { ...manifest({}), 'index.js': '' },
    { ...manifest({ main: 'lib/m.js' }), 'src/m.ts': '', 'index.ts': '' },
    { ...manifest({ scripts: { start: 'node dist/server.js' } }), 'src/server.ts': '', 'app.js': '' },
    { ...manifest({ dependencies: { next: '1' } }), 'docs/pages/x.tsx': '', 'pages/docs/x.tsx': '' },
    { ...manifest({}), 'public/a.js': '', 'public/index.html': '<script src="a.js"></script>' },
  ];
  const added = {
    'server.js': '',
    'main.ts': '',
    'index.html': '<script src="/m.js"></script>',
    'm.js': '',
    'lib/m.js': '',
    'dist/server.js': '',
    'index.jsx': '',
    'a.js': '',
    Dockerfile: 'CMD node m.js',
    Procfile: 'web: node m.js',
    'docs/package.json': '{"name":"docs","main":"x.js"}',
    'pages/package.json': '{}',
    'vite.config.js': "export default { build: { rollupOptions: { input: 'm.js' } } }",
    'test/a.test.js': '',
  };

  test.each(Object.entries(added))('never goes away when %s is added', async (path, text) => {
    for (const tree of trees) {
      const before = (await read(tree, [])).entryFiles;
      const after = (await read({ [path]: text, ...tree }, [])).entryFiles;
      expect(after).toEqual(expect.arrayContaining(before));
    }
  });
});
