import { posix } from 'node:path';
import { groupBy } from '../../lockfiles/group-by.js';
import { createReader } from '../create-reader.js';
import type { Language, Target } from '../language.js';
import { roleByPath } from '../roles.js';
import { withMentions } from '../with-mentions.js';
import { conventions } from './conventions.js';
import { type ParsedJvm, parseJvm } from './imports.js';
import { mavenPackageFinder, platformClass } from './maven-packages.js';
import { findJvmMentions } from './settings.js';

const jvm: Language<ParsedJvm> = {
  name: 'Java and Kotlin',
  ecosystem: 'Maven',
  reads: (path) => /\.(?:java|kt|kts|scala|groovy)$/.test(path),
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
          sameUnit(file) {
            const { packageName = '', scansPackage = false } = files.get(file) ?? {};
            // Classes of one package use each other without an import.
            return packageName === '' ? [] : scansPackage ? below(packageName) : (inProduction.get(packageName) ?? []);
          },
          target(_, { target, symbols = [] }): Target {
            // `import a.b.*` means the package; a member of a class leads to the class.
            const wholePackage = symbols.length === 0 ? packages.get(target) : undefined;
            const found =
              wholePackage ?? classes.get(target) ?? classes.get(target.slice(0, Math.max(0, target.lastIndexOf('.'))));
            return {
              files: found ?? [],
              packages: packagesOf(target).map((name) => ({ name, subpath: null })),
              needsNoPackage: platformClass.test(target),
            };
          },
        };
      },
    };
  },
};

/** The class of the file's name: Java requires it in the file, in Kotlin it is the custom. */
function classOf(path: string, files: ReadonlyMap<string, ParsedJvm>): string {
  const name = posix.basename(path).replace(/\.\w+$/, '');
  const packageName = files.get(path)?.packageName ?? '';
  return packageName === '' ? name : `${packageName}.${name}`;
}

/** Reads Java, Kotlin, Scala and Groovy. An import names a class, not its artifact: maven-packages.ts says how certain that is. */
export const jvmReader = withMentions(createReader(jvm), findJvmMentions);
