/** Folders whose code does not run in production, in any language's customs. */
const folder =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|testdata|test[-_]utils|fixtures|specs?|e2e|cypress|bench(?:es|marks?)?|examples|samples|demos|docs|androidTest|\.github|\.storybook|stories|node_modules|bower_components|vendor|third[-_]party)\//i;
/** Tools around the project; deeper in it these names are anybody's. */
const topFolder = /^(?:scripts?|tools?|hack|misc|contrib|ci|example|sample|demo|doc|\.[^/]+)\//i;
const name =
  /(?:[._-](?:test|tests|spec|specs|e2e|stories|mock)\.[^./]+|(?:^|\/)(?:test_[^/]*\.py|conftest\.py)|_test\.(?:go|py|rb|dart|exs)|Tests?\.(?:java|kt|cs|php|scala|swift))$/;

/**
 * Whether a file's path, relative to the repository, is one of production code: not of tests, examples, documentation,
 * tools or vendored packages. A finding that names no file is on no path.
 */
export function isProductionPath(path: string | null): boolean {
  return path !== null && !folder.test(path) && !topFolder.test(path) && !name.test(path);
}
