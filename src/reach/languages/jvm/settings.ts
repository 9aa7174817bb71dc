import { either } from '../patterns.js';
import { roleByPath } from '../roles.js';
import { searchUnparsed } from '../search-unparsed.js';
import type { SourceTree } from '../source-tree.js';
import type { Mentions } from '../with-mentions.js';
import { classPathUses } from './class-path.js';
import { conventions } from './conventions.js';
import { mavenPackageFinder, platformClass } from './maven-packages.js';

/** Settings, descriptors and templates that name classes: Spring, servlets, persistence, ServiceLoader, Thymeleaf, JSP. */
const settings =
  /\.(?:xml|properties|ya?ml|conf|factories|imports|jspx?|tagx?|ftlh?|vm|html|xhtml)$|(?:^|\/)META-INF\/services\/[^/]+$/;
const builds = either(
  '',
  /(?:^|\/)(?:pom|build|ivy|checkstyle[^/]*|pmd[^/]*|spotbugs[^/]*)\.xml$/,
  /(?:^|\/)(?:gradle[^/]*\.properties|\.[^/]*)$/,
  /(?:^|\/)\.(?:github|gitlab|mvn|idea)\//,
);

/** A class by its full name: packages in lower case, then a name with a capital letter. */
const className = /(?<![\w.$/@-])(?:[a-z_][a-z0-9_]{0,60}\.){2,12}[A-Z]\w{0,100}/g;

/** Packages that the class path makes run, and those whose classes settings, descriptors and templates name. */
export async function findJvmMentions(tree: SourceTree, packageNames: readonly string[]): Promise<Mentions> {
  const packagesOf = mavenPackageFinder(packageNames);
  const paths = tree.files
    .map(({ path }) => path)
    .filter((path) => settings.test(path) && !builds.test(path) && roleByPath(path, conventions) === 'prod');
  const { uses } = await searchUnparsed(tree, paths, {
    ecosystem: 'Maven',
    words: className,
    meaning: (word) => (platformClass.test(word) ? [] : packagesOf(word)),
    roleIn: () => 'prod',
    reached: new Set(),
  });
  return { uses: [...uses, ...(await classPathUses(tree, new Set(packageNames)))], gaps: [] };
}
