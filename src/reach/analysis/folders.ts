import { setsOf } from '../knowledge/knowledge.js';

const listed = setsOf('folders');

/** Where npm and its like install packages. A project may keep packages of its own in such a folder (see own-modules.ts). */
export const modulesFolder = 'node_modules';

/** What package managers leave in a folder of modules that they made: npm 7, Yarn 1 and later, pnpm, Bun. */
export const modulesMarkers = listed('modulesMarkers');

/** Folders of installed packages: never read, wherever they are. */
const dependencies = listed('dependencies');

/** Folders of version control systems. */
const versionControl = listed('versionControl');

/** Output and caches of tools, under names that source never has. */
const generated = listed('generated');

/** Names that source has too: such a folder is left out only where one of these files shows what it is. */
const markers: Readonly<Record<string, { readonly inside: readonly string[]; readonly siblings: readonly string[] }>> =
  {
    vendor: { inside: ['modules.txt', 'autoload.php', 'bundle'], siblings: ['go.mod', 'composer.json'] },
    target: { inside: ['CACHEDIR.TAG', 'maven-status'], siblings: ['Cargo.toml', 'pom.xml', 'build.sbt'] },
    venv: { inside: ['pyvenv.cfg'], siblings: [] },
    env: { inside: ['pyvenv.cfg'], siblings: [] },
  };

/** Names that build output has, and source too: such a folder is left out only where git ignores it. */
const outputs = listed('outputs');

/** Whether a folder is left out for its name alone. */
export function isNeverSource(name: string): boolean {
  return dependencies.has(name) || versionControl.has(name) || generated.has(name);
}

/** Whether files in a folder, or in the folder around it, show that it holds dependencies or output. */
export function isMarkedByNeighbours(
  name: string,
  inside: () => readonly string[],
  siblings: readonly string[],
): boolean {
  const marker = Object.hasOwn(markers, name) ? markers[name] : undefined;
  if (marker === undefined) return false;
  if (marker.siblings.some((sibling) => siblings.includes(sibling))) return true;
  const children = inside();
  return marker.inside.some((child) => children.includes(child));
}

export function isOutputName(name: string): boolean {
  return outputs.has(name);
}
