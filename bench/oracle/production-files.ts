import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Files that surely run in production, found by nothing but names, so that the truth shares no rule with the readers: what
 * tests, tools, examples or builds may own is left out. A package that only such a file imports is not counted as used.
 */
export function productionFiles(folder: string, extension: RegExp): string[] {
  return filesOf(folder).filter((path) => extension.test(path) && !isDoubtful(path));
}

/** All files below a folder, but installed packages and version control; relative paths, `/` between their parts. */
export function filesOf(folder: string): string[] {
  const found: string[] = [];
  const visit = (below: string) => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory() && !/^(?:node_modules|\.git|\.yarn)$/.test(entry.name)) visit(path);
    }
  };
  visit('');
  return found.sort();
}

const doubtfulFolder =
  /^(?:\..*|_*tests?_*|_*mocks?_*|.*[-_.]tests?|tests?[-_.].*|spec|specs|e2e|cypress|playwright|fixtures?|__fixtures__|testdata|testing|test-?utils?|stories|benchmarks?|bench|benches|examples?|samples?|demos?|docs?|scripts?|tools?|tooling|build|builder|dist|out|dev|ci|hack|contrib|vendor|vendored|third[-_]party|generators?|templates?|tasks|extra|utils-dev|packaging|lint|integration|features)$/i;
const doubtfulName =
  /(?:[.-](?:test|tests|spec|specs|stories|story|e2e|cy|bench|mock|d|min|config|conf|setup)\.[^/]*|^(?:gruntfile|gulpfile|webpack\.|rollup\.|vite\.|vitest\.|jest[.-]|_mock|test-?(?:utils?|helpers?)|karma\.|setup-?tests?|test_|conftest|setup\.py|noxfile|tasks\.py|fabfile|forge\.config|vue\.config|nuxt\.config|\.).*|_tests?\.(?:go|py|rb|exs)|_spec\.rb|Tests?\.(?:java|kt|php|cs))$/i;

function isDoubtful(path: string): boolean {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  return doubtfulName.test(name) || parts.some((part) => doubtfulFolder.test(part));
}
