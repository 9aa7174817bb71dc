import { groupBy } from '../../lockfiles/group-by.js';
import type { Language, Target } from '../language.js';
import { roleByPath } from '../roles.js';
import { readerOf } from '../source-analysis.js';
import { type ParsedJvm, parseJvm } from './imports.js';
import { javaOwn, mavenPackageFinder } from './maven-packages.js';

const conventions = [
  [/(?:^|\/)src\/main\//, 'prod'],
  [/(?:^|\/)src\/(?:test|it|integrationTest|testFixtures|jmh|\w+Test)\//, 'test'],
  [/(?:^|\/)(?:[^/]*(?:Test|Tests|IT|Spec)|Test[A-Z][^/]*)\.\w+$/, 'test'],
  [/\.gradle(?:\.kts)?$/, 'config'],
] as const;

const jvm: Language<ParsedJvm> = {
  name: 'Java and Kotlin',
  ecosystem: 'Maven',
  reads: (path) => /\.(?:java|kt|kts|scala)$/.test(path),
  roleOf: (path) => roleByPath(path, conventions),
  begin(packageNames) {
    const packagesOf = mavenPackageFinder(packageNames);
    return {
      parse: parseJvm,
      async connect(_, files) {
        const classes = groupBy(files.keys(), (path) => classOf(path, files));
        const packages = groupBy(files.keys(), (path) => files.get(path)?.packageName ?? '');
        const inProduction = groupBy(
          [...files.keys()].filter((path) => jvm.roleOf(path) !== 'test'),
          (path) => files.get(path)?.packageName ?? '',
        );
        const below = (packageName: string) =>
          [...inProduction].flatMap(([name, paths]) =>
            name === packageName || name.startsWith(`${packageName}.`) ? paths : [],
          );
        return {
          entries: [],
          alongside(file) {
            const { packageName = '', scansPackage = false } = files.get(file) ?? {};
            // Classes of one package use each other without an import.
            return packageName === '' ? [] : scansPackage ? below(packageName) : (inProduction.get(packageName) ?? []);
          },
          target(_, { target, symbols }): Target {
            // `import a.b.*` takes the package; a member of a class leads to the class.
            const own = symbols.length === 0 ? packages.get(target) : undefined;
            const found =
              own ?? classes.get(target) ?? classes.get(target.slice(0, Math.max(0, target.lastIndexOf('.'))));
            return {
              files: found ?? [],
              packages: packagesOf(target).map((name) => ({ name, subpath: null })),
              isOwn: javaOwn.test(target),
            };
          },
        };
      },
    };
  },
};

/** A file holds at least the class of its name (Java's rule, Kotlin's habit). */
function classOf(path: string, files: ReadonlyMap<string, ParsedJvm>): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const packageName = files.get(path)?.packageName ?? '';
  return packageName === '' ? name : `${packageName}.${name}`;
}

/** Reads Java, Kotlin and Scala. An import names a class, never its artifact: see maven-packages.ts for how sure it is. */
export const jvmReader = readerOf(jvm);
