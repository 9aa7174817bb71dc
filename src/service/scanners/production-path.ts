/** Folders whose code does not run in production, by the customs of all languages. */
const folder =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|testdata|test[-_]utils|fixtures|specs?|e2e|cypress|bench(?:es|marks?)?|examples|samples|demos|docs|androidTest|\.github|\.storybook|stories|node_modules|bower_components|vendor|third[-_]party)\//i;
/** Folders of tools and examples at the top of a repository; deeper in it, these names may mean anything. */
const topFolder = /^(?:scripts?|tools?|hack|misc|contrib|ci|example|sample|demo|doc|\.[^/]+)\//i;
const name =
  /(?:[._-](?:test|tests|spec|specs|e2e|stories|mock)\.[^./]+|(?:^|\/)(?:test_[^/]*\.py|conftest\.py)|_test\.(?:go|py|rb|dart|exs)|Tests?\.(?:java|kt|cs|php|scala|swift))$/;

/**
 * Whether a path, relative to the repository, is of production code: not of tests, examples, documentation, tools or
 * vendored packages. False for a finding that names no file.
 */
export function isProductionPath(path: string | null): boolean {
  return path !== null && !folder.test(path) && !topFolder.test(path) && !name.test(path);
}
