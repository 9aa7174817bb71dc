import type { Role } from '../language-reader.js';
import { fileNameOf } from '../tree-path.js';

const testFolder =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|__fixtures__|specs?|e2e|cypress|playwright|fixtures|test-utils|testing|\.storybook|stories|__stories__|benchmarks?|bench)\//i;
const testName =
  /(?:[._-](?:test|tests|spec|specs|e2e|e2e-spec|cy|stories|story|bench|fixture|mock)|^test[._-].*|^tests?)\.(?:[mc]?[jt]sx?|vue|svelte)$/i;

const configName =
  /^(?:.+\.config|.+\.conf|\..+rc|.+[.-]setup|setup[.-]?tests?|gulpfile|gruntfile|rakefile|jakefile|webpack(?:\..+)?|rollup(?:\..+)?|karma(?:\..+)?|protractor(?:\..+)?|babel(?:\..+)?|jest(?:\..+)?|vitest(?:\..+)?|vite(?:\..+)?|next\.config|svelte\.config|metro|tailwind|postcss|prettier|eslint(?:\..+)?|commitlint|stylelint|lint-staged|release|wallaby|knexfile|plopfile|craco|dangerfile|env\.d)(?:\.babel)?\.(?:[mc]?[jt]s|json)$/i;

const scriptFolder =
  /(?:^|\/)(?:scripts?|tools?|tooling|build-scripts|\.github|\.husky|ci|devtools?|hack|examples?|demos?|docs?|website|migrations-scripts)\//i;

/**
 * The role of a file by its path alone: test, configuration of a tool, script around the project, or production. A file
 * that production imports counts as production in spite of its path.
 */
export function roleOf(path: string): Role {
  const name = fileNameOf(path);
  if (testFolder.test(path) || testName.test(name)) return 'test';
  if (configName.test(name)) return 'config';
  return scriptFolder.test(path) ? 'script' : 'prod';
}
