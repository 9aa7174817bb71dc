import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { LockedPackage } from '../lockfiles/package-list.js';

/**
 * Packages that check, build, test, document or release a project, by their names: no production code loads them by a name that
 * only a run can say. Only packages are listed that do nothing else; what such a tool is also used for at run time (`sass`,
 * `puppeteer`, `@babel/runtime`) is not.
 */
const names: Readonly<Partial<Record<Ecosystem, readonly RegExp[]>>> = {
  npm: [
    /^(?:@[\w.-]+\/)?(?:eslint|stylelint|prettier|tslint|commitlint|markdownlint|oxlint|textlint)(?:[-/]|$)/,
    /^@(?:eslint|eslint-community|typescript-eslint|stylistic|commitlint|biomejs|changesets|semantic-release|release-it|size-limit|arethetypeswrong)\//,
    /^@babel\/(?:core|cli|node|register|eslint-parser|preset-|plugin-)|^babel-(?:cli|core|eslint|jest|loader|plugin-|preset-)/,
    /^(?:webpack|webpack-(?:cli|dev-server|merge|bundle-analyzer|node-externals|hot-middleware)|webpack-assets-manifest|webpack-manifest-plugin|(?:@[\w.-]+\/)?[\w.-]+-webpack-plugin|mini-css-extract-plugin|react-refresh)$/,
    /^(?:ts|css|style|sass|less|postcss|file|url|raw|html|ejs|vue|svg|babel|swc|esbuild|string-replace|thread|null|source-map|expose|imports|exports|script|to-string|stylus|pug|markdown|worker|resolve-url|svg-url|svg-inline|svg-sprite|cache|remark|val|image-webpack|json5|yaml|coffee|handlebars)-loader$/,
    /^(?:rollup|vite|esbuild|rspack|parcel|tsup|tsdown|unbuild|turbo|lerna|nx|gulp|grunt|browserslist)$/,
    /^(?:@[\w.-]+\/)?(?:vite-plugin(?:-[\w.-]+)?|[\w.-]+-vite-plugin)$|^vite-(?:tsconfig-paths|env-only|bundle-visualizer)$/,
    /^(?:rollup-plugin|vite-plugin|unplugin|esbuild-plugin|gulp|grunt|parcel-plugin)-|^@(?:rollup|vitejs|rspack|rsbuild|parcel|nx|nrwl)\//,
    /^@swc\/(?:core|cli|jest|register)$|^(?:terser|uglify-js|uglifyjs-webpack-plugin|cssnano|autoprefixer|postcss|postcss-[\w-]+)$/,
    /^(?:jest|ts-jest|vitest|mocha|chai|sinon|karma|jasmine|cypress|nyc|c8|ava|tap|supertest|enzyme|protractor|proxyquire|should|istanbul|nock)(?:[-.][\w.-]+)?$/,
    /^@(?:jest|vitest|testing-library|playwright|cypress|wdio|stryker-mutator|fast-check)\//,
    /^(?:@nestjs\/testing|@nestjs\/cli|@nestjs\/schematics|@angular\/cli|@angular\/compiler-cli|@angular-devkit\/.+|@angular\/build|@angular-builders\/.+|@angular-eslint\/.+|@vue\/cli-.+|@vue\/test-utils|@vue\/tsconfig)$/,
    /^(?:cross-env|npm-run-all2?|concurrently|run-script-os|rimraf|shx|nodemon|wait-on|kill-port|start-server-and-test|chokidar-cli|dotenv-cli|cpy-cli|del-cli|onchange|npm-watch|live-server|livereload|browser-sync|yarn-deduplicate|syncpack|nano-staged|pretty-quick|is-ci|only-allow|inngest-cli|chromatic|jscodeshift|ignore-styles|identity-obj-proxy|ts-sinon)$/,
    /^(?:svelte-check|svelte-preprocess|vue-template-compiler|laravel-mix|laravel-mix-[\w-]+|@lingui\/(?:cli|vite-plugin)|@svgr\/(?:cli|webpack|rollup)|@lezer\/generator|@preconstruct\/cli|@manypkg\/cli|@total-typescript\/ts-reset)$/,
    /^(?:typescript|ts-node-dev|vue-tsc|tsc-alias|tsc-watch|tsconfig-paths-webpack-plugin|@tsconfig\/.+|@microsoft\/api-extractor)$/,
    /^(?:husky|lint-staged|simple-git-hooks|lefthook|semantic-release|release-it|standard-version|commitizen|cz-[\w-]+|conventional-changelog[\w-]*|np|auto-changelog)$/,
    /^(?:storybook|typedoc|jsdoc|typedoc-plugin-[\w-]+|eslint_d|knip|depcheck|madge|danger|coveralls|codecov|size-limit|publint|npm-check-updates|license-checker)$|^@storybook\//,
    /^(?:electron-builder|electron-rebuild|@electron-forge\/.+|@electron\/(?:rebuild|notarize|packager|fuses|lint-roller))$|^@graphql-codegen\//,
  ],
  Packagist: [
    /^(?:phpstan|phpunit|psalm|pestphp|larastan|infection|behat|phpspec|php-parallel-lint|ergebnis|brianium|codeception|squizlabs|phpcompatibility|slevomat|dealerdirect)\//,
    /^(?:friendsofphp\/php-cs-fixer|vimeo\/psalm|rector\/rector|mockery\/mockery|fakerphp\/faker|phan\/phan|phpmd\/phpmd|nunomaduro\/(?:collision|larastan)|laravel\/(?:pint|sail|dusk)|barryvdh\/laravel-ide-helper|roave\/security-advisories|symfony\/(?:phpunit-bridge|maker-bundle|browser-kit|css-selector))$/,
    /^[\w.-]+\/(?:phpstan|phpunit|psalm|rector|pest|phpcs)(?:-[\w-]+)?$|^(?:carthage-software\/mago|laravel-json-api\/testing|dama\/doctrine-test-bundle|dg\/bypass-finals|orchestra\/testbench)$/,
  ],
  PyPI: [
    /^(?:pytest|moto|requests-mock|responses|respx|freezegun|time-machine|pyfakefs|fakeredis|django-test-migrations|diff-cover|deptry|flake8|pylint|mypy|sphinx|mkdocs|hypothesis|coverage|tox|nox|black|ruff|isort|bandit|pyright|basedpyright|pre-commit|twine|bump2version|bumpversion|factory-boy|ipdb|pdbpp|djlint|autoflake|pyupgrade|vulture|codespell|yamllint|interrogate)(?:[-_.][\w.-]+)?$/i,
    /^types-|-stubs$/i,
  ],
  RubyGems: [
    /^(?:rspec|rubocop|simplecov|factory_bot|factory_girl|capybara|guard|pry|byebug|minitest|shoulda|cucumber|database_cleaner|selenium|webdrivers|brakeman|bundler-audit|reek|standard|erb_lint|haml_lint|spring|annotate|annotaterb|web-console|letter_opener|webmock|vcr|timecop|rails-controller-testing|test-prof|debug|rack-test|faker)(?:[-_][\w-]+)?$/,
  ],
  Maven: [/^(?:junit|org\.junit(?:\.\w+)*|org\.mockito|org\.assertj|org\.hamcrest|org\.testcontainers|org\.testng):/],
  'crates.io': [
    /^(?:criterion|proptest|rstest|insta|mockall|trybuild|quickcheck|pretty_assertions|wiremock|assert_cmd|assert_fs|predicates|serial_test|test-case)$/,
  ],
};

/**
 * Whether a package holds declarations of types and no code, so that no program can load it: DefinitelyTyped, and typeshed's
 * distributions (https://github.com/python/typeshed#the-typeshed-project).
 */
export function holdsOnlyTypes({ ecosystem, name }: Pick<LockedPackage, 'ecosystem' | 'name'>): boolean {
  return (ecosystem === 'npm' && name.startsWith('@types/')) || (ecosystem === 'PyPI' && /^types[-_.]/i.test(name));
}

/**
 * Whether a package is only for development, by its scope and by its name. Either alone would not do: applications bundle what
 * they declare for development, and some tools run in production.
 */
export function isDevelopmentTool({
  ecosystem,
  name,
  scope,
}: Pick<LockedPackage, 'ecosystem' | 'name' | 'scope'>): boolean {
  return scope === 'development' && names[ecosystem]?.some((pattern) => pattern.test(name)) === true;
}
