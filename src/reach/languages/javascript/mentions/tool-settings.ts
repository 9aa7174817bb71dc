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

/**
 * Packages that run in a compiler, bundler, linter or test runner, as all with such names do. What a tool adds to a bundle
 * from a package of its own is imported by the bundle, and brought in by an edge (`@babel/runtime`, `core-js`).
 */
const toolName =
  /^(?:@types\/|@tsconfig\/|@eslint\/|@typescript-eslint\/|@babel\/(?:core|cli|preset-|plugin-|eslint-)|@vitejs\/plugin-|@vitest\/|@rollup\/plugin-|@commitlint\/|(?:@[^/]+\/)?(?:eslint|babel|vite|rollup|esbuild|prettier|stylelint|jest|karma|gulp|grunt)-(?:plugin|preset|config|import-resolver|parser|loader|environment|eslint)(?:-|$)|(?:@[^/]+\/)?(?:eslint|prettier|stylelint|jest|karma|commitlint)-config(?:$|-)|(?:(?:babel|css|file|url|less|sass|style|ts|vue|html|raw|postcss|expose|imports|exports|script|string|source-map|svg-inline|ejs|swc|esbuild|worker|null|resolve-url|thread|cache)-loader|(?:[\w-]+-)?webpack-plugin|webpack-(?:cli|dev-server|bundle-analyzer|merge)|eslint|prettier|stylelint|jest|ts-jest|vitest|mocha|karma|nyc|husky|lint-staged|typescript|autoprefixer|cssnano|nodemon)$)/;

/** Whether a file holds settings of a program that only checks, tests or releases. */
export function isCheckingFile(path: string): boolean {
  return checkingFile.test(fileNameOf(path)) || /(?:^|\/)\.husky\//.test(path);
}

export function isCheckingSection(section: string): boolean {
  return checkingSections.has(section);
}

/** Whether a package with this name is a part of a development tool. */
export function isToolName(packageName: string): boolean {
  return toolName.test(packageName);
}
