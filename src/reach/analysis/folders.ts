/** Folders that hold what was installed, not what the project's authors wrote: never read, wherever they are. */
const dependencies = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'web_modules',
  'site-packages',
  'dist-packages',
  '.venv',
  '.virtualenv',
  '.bundle',
  '.yarn',
  '.pnpm-store',
  '.cargo',
  '.eggs',
]);

/** Folders of version control systems. */
const versionControl = new Set(['.git', '.hg', '.svn', '.bzr', '.jj', 'CVS', '_darcs']);

/** Output and caches of tools, under names that nobody gives to source. */
const generated = new Set([
  '.angular',
  '.astro',
  '.cache',
  '.docusaurus',
  '.gradle',
  '.mypy_cache',
  '.next',
  '.nuxt',
  '.nyc_output',
  '.output',
  '.parcel-cache',
  '.pytest_cache',
  '.ruff_cache',
  '.svelte-kit',
  '.terraform',
  '.tox',
  '.nox',
  '.turbo',
  '.vercel',
  '.vite',
  '__pycache__',
  'htmlcov',
]);

/** Names that source goes by too: such a folder is left out only where something in it or beside it tells what it is. */
const markers: Readonly<Record<string, { readonly inside: readonly string[]; readonly beside: readonly string[] }>> = {
  vendor: { inside: ['modules.txt', 'autoload.php', 'bundle'], beside: ['go.mod', 'composer.json'] },
  target: { inside: ['CACHEDIR.TAG', 'maven-status'], beside: ['Cargo.toml', 'pom.xml', 'build.sbt'] },
  venv: { inside: ['pyvenv.cfg'], beside: [] },
  env: { inside: ['pyvenv.cfg'], beside: [] },
};

/** Names that build output goes by, and source too: such a folder is left out only where .gitignore names it. */
const outputs = new Set(['build', 'coverage', 'dist', 'dist-types', 'esm', 'cjs', 'lib', 'out', 'output', 'tmp']);

/** Whether a folder is left out for its name alone. */
export function isNeverSource(name: string): boolean {
  return dependencies.has(name) || versionControl.has(name) || generated.has(name);
}

/** Whether what lies in a folder, or beside it, tells that it holds dependencies or output. */
export function isMarkedByNeighbours(
  name: string,
  inside: () => readonly string[],
  beside: readonly string[],
): boolean {
  const marker = Object.hasOwn(markers, name) ? markers[name] : undefined;
  if (marker === undefined) return false;
  if (marker.beside.some((other) => beside.includes(other))) return true;
  const children = inside();
  return marker.inside.some((child) => children.includes(child));
}

/** Whether a folder is left out if git ignores it. */
export function isOutputName(name: string): boolean {
  return outputs.has(name);
}
