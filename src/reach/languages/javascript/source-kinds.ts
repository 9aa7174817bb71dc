/** How a file is read: its dialect, and whether the script is the whole file or blocks in it. */
export interface SourceKind {
  readonly lang: 'jsx' | 'ts' | 'tsx' | 'dts';
  readonly typescript: boolean;
  readonly blocks: 'none' | 'html' | 'astro';
}

const javascript: SourceKind = { lang: 'jsx', typescript: false, blocks: 'none' };
const typescript: SourceKind = { lang: 'ts', typescript: true, blocks: 'none' };
const component: SourceKind = { lang: 'tsx', typescript: true, blocks: 'html' };

const byExtension: Readonly<Record<string, SourceKind>> = {
  '.js': javascript,
  '.mjs': javascript,
  '.cjs': javascript,
  '.jsx': javascript,
  '.es6': javascript,
  '.ts': typescript,
  '.mts': typescript,
  '.cts': typescript,
  '.tsx': { ...typescript, lang: 'tsx' },
  '.vue': component,
  '.svelte': component,
  '.astro': { ...component, blocks: 'astro' },
};

const declaration: SourceKind = { lang: 'dts', typescript: true, blocks: 'none' };

/** The kind of a source file; null for other files. */
export function sourceKindOf(path: string): SourceKind | null {
  if (/\.d\.(?:[\w-]+\.)?[mc]?ts$/.test(path)) return declaration;
  const extension = path.slice(path.lastIndexOf('.'));
  return Object.hasOwn(byExtension, extension) ? (byExtension[extension] ?? null) : null;
}
