import { listsOf } from '../../knowledge/knowledge.js';
import { type Source, unlessInvalid } from '../../lockfiles/source.js';
import type { PackageUse } from '../language-reader.js';
import { roleByPath } from '../roles.js';
import type { SourceTree } from '../source-tree.js';
import { folderOf, joinPath } from '../tree-path.js';
import { loadedByConvention, mention } from '../with-mentions.js';
import { conventions } from './conventions.js';

const listed = listsOf('jvm/class-path');
/** No code has to name an artifact that runs because it is on the class path. */
const onClassPath = [new RegExp(listed('artifacts').join('|')), new RegExp(listed('drivers').join('|'), 'i')];
const loadedByBoot = new RegExp(listed('loadedByBoot').join('|'));
/** A module that is packed as an application of Spring Boot. */
const bootApplication = /<artifactId>\s*(?:spring-boot-maven-plugin|spring-boot-starter-parent)\s*</;

/**
 * Uses of the artifacts that a build puts on the class path of production, and that run for that alone. Certain are modules
 * of the project itself, and what Spring Boot loads; others may run.
 */
export async function classPathUses(tree: SourceTree, known: ReadonlySet<string>): Promise<PackageUse[]> {
  const uses: PackageUse[] = [];
  const paths = new Set(tree.files.map(({ path }) => path));
  const sourceOf = (file: string, text: string): Source => ({
    file,
    text,
    async readRelative(relative) {
      const path = joinPath(folderOf(file), relative);
      const other = path !== null && paths.has(path) ? tree.read(path) : null;
      return path === null || other === null ? null : sourceOf(path, other);
    },
    // Neither a POM nor gradle.lockfile asks for it.
    foldersWith: async () => [],
  });
  const { modules, runsBoot } = await projectModules(tree, sourceOf);
  for (const { path } of tree.files) {
    const read = isPom.test(path)
      ? async (source: Source) => (await import('../../lockfiles/maven/pom.js')).readPom(source)
      : /(?:^|\/)gradle\.lockfile$/.test(path)
        ? async (source: Source) =>
            (await import('../../lockfiles/gradle/gradle-lockfile.js')).readGradleLockfile(source)
        : null;
    const text = read && tree.read(path);
    if (read === null || text === null) continue;
    const declared = await readNames(read, sourceOf(path, text));
    const lines = linesOf(text);
    for (const name of declared) {
      const isLoaded = modules.has(name) || (runsBoot && loadedByBoot.test(name));
      if (!known.has(name) || !(isLoaded || onClassPath.some((pattern) => pattern.test(name)))) continue;
      const place = { file: path, line: lines.get(name.split(':')[1] ?? '') ?? 1, role: 'prod' } as const;
      uses.push((isLoaded ? loadedByConvention : mention)('Maven', name, place));
    }
  }
  return uses;
}

const isPom = /(?:^|\/)pom\.xml$/;

/** The artifacts that the POMs of a tree build, and whether one of them is an application of Spring Boot. */
async function projectModules(tree: SourceTree, sourceOf: (file: string, text: string) => Source) {
  const modules = new Set<string>();
  let runsBoot = false;
  const poms = tree.files.filter(({ path }) => isPom.test(path) && roleByPath(path, conventions) !== 'test');
  const { artifactOf } = await import('../../lockfiles/maven/pom.js');
  for (const { path } of poms) {
    const text = tree.read(path);
    if (text === null) continue;
    runsBoot ||= bootApplication.test(text);
    const name = await unlessInvalid(() => artifactOf(sourceOf(path, text)), null);
    if (name !== null) modules.add(name);
  }
  return { modules, runsBoot };
}

type Read = (
  source: Source,
) => Promise<{ readonly packages: readonly { readonly name: string; readonly scope: string }[] }>;

/** Artifacts of production. */
async function readNames(read: Read, source: Source): Promise<string[]> {
  const { packages } = await unlessInvalid(() => read(source), { packages: [] });
  return packages.filter(({ scope }) => scope !== 'development').map(({ name }) => name);
}

/** The first line of each artifact. */
function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries()) {
    const artifact = /<artifactId>\s{0,20}([\w.-]+)|^[\w.-]+:([\w.-]+):/.exec(line);
    const name = artifact?.[1] ?? artifact?.[2];
    if (name !== undefined && !lines.has(name)) lines.set(name, index + 1);
  }
  return lines;
}
