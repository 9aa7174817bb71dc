/** The files that a framework loads because of their path, in a package that depends on it. */
interface Convention {
  readonly framework: string;
  readonly packages: readonly string[];
  /** Matches the path below the package's folder, without extension. */
  readonly entry: RegExp;
}

/**
 * Conventions of frameworks, from their documentation: Next.js "Project structure", SvelteKit "Project structure", Nuxt
 * "Directory structure", Astro "Project structure", Remix and React Router "File conventions", NestJS "First steps".
 */
const conventions: readonly Convention[] = [
  {
    framework: 'Next.js',
    packages: ['next'],
    entry:
      /^(?:src\/)?(?:pages\/.+|app\/(?:.+\/)?(?:page|layout|route|loading|error|global-error|not-found|template|default|forbidden|unauthorized|sitemap|robots|manifest|(?:opengraph|twitter)-image|icon|apple-icon)|middleware|proxy|instrumentation(?:-client)?)$/,
  },
  { framework: 'NestJS', packages: ['@nestjs/core'], entry: /^(?:src|apps\/[^/]+\/src)\/main$/ },
  {
    framework: 'SvelteKit',
    packages: ['@sveltejs/kit'],
    entry: /^src\/(?:routes\/.+|hooks(?:\.(?:server|client))?|service-worker(?:\/index)?|params\/.+)$/,
  },
  {
    framework: 'Nuxt',
    packages: ['nuxt', 'nuxt3', 'nuxt-edge'],
    entry:
      /^(?:src\/|app\/)?(?:app|error|(?:pages|layouts|components|plugins|middleware|composables|utils|server|store|stores|modules)\/.+)$/,
  },
  {
    framework: 'Astro',
    packages: ['astro'],
    entry: /^src\/(?:pages\/.+|middleware(?:\/index)?|content\.config|content\/config|actions\/index)$/,
  },
  {
    framework: 'Remix',
    packages: ['@remix-run/react', '@remix-run/node', '@remix-run/dev', '@react-router/dev'],
    entry: /^app\/(?:root|entry\.(?:client|server)|routes|routes\/.+)$/,
  },
  { framework: 'Angular', packages: ['@angular/core'], entry: /^src\/main(?:\.server)?$/ },
  {
    framework: 'Gatsby',
    packages: ['gatsby'],
    entry: /^(?:src\/(?:pages|templates|api)\/.+|gatsby-(?:browser|ssr|node))$/,
  },
  { framework: 'Create React App', packages: ['react-scripts'], entry: /^src\/(?:index|setupProxy)$/ },
  { framework: 'Vue CLI', packages: ['@vue/cli-service'], entry: /^src\/main$/ },
  { framework: 'Expo', packages: ['expo'], entry: /^(?:(?:src\/)?app\/.+|App|index)$/ },
  { framework: 'React Native', packages: ['react-native'], entry: /^index(?:\.(?:ios|android))?$/ },
  { framework: 'Vercel functions', packages: ['@vercel/node', 'vercel'], entry: /^api\/.+$/ },
];

/** The framework of a package that loads a file because of its path; null if none does. */
export function frameworkLoading(pathInPackage: string, declared: { has(name: string): boolean }): string | null {
  const stem = pathInPackage.replace(/\.[^./]+$/, '');
  const found = conventions.find(
    ({ packages, entry }) => entry.test(stem) && packages.some((name) => declared.has(name)),
  );
  return found?.framework ?? null;
}
