import { fileNameOf } from '../../tree-path.js';
import { wordSet } from '../../word-set.js';

/**
 * Configurations of programs that check, test or release, and that run no part of what is built: whatever they name, they
 * load for themselves. Not those of compilers and bundlers, whose settings also say what goes into a bundle.
 */
const checkingFile =
  /^\.?(?:eslint|prettier|stylelint|commitlint|lint-?staged|jest|vitest|karma|mocha|nyc|c8|ava|cypress|playwright|wdio|protractor|nightwatch|markdownlint|cspell|knip|depcheck|dependency-cruiser|size-limit|release-it|semantic-release|releaserc|renovate|dependabot|codecov|husky|lefthook|bundlewatch|lighthouserc|tslint)(?:rc|[.-]|$)/i;

/** Sections of package.json with settings of such programs. */
const checkingSections = wordSet(
  'eslintConfig eslintIgnore prettier stylelint commitlint lint-staged jest vitest mocha nyc c8 ava xo standard husky',
  'pre-commit simple-git-hooks lefthook size-limit release release-it semantic-release renovate knip tsd cspell',
  'cypress bundlewatch tap wtr auto changelog config-commitizen',
);

/** Whether a file holds settings of a program that only checks, tests or releases. */
export function isCheckingFile(path: string): boolean {
  return checkingFile.test(fileNameOf(path)) || /(?:^|\/)\.husky\//.test(path);
}

export function isCheckingSection(section: string): boolean {
  return checkingSections.has(section);
}
