import { describe, expect, test } from 'vitest';
import { phpReader } from '../../../src/reach/languages/php/reader.js';
import { analyze as analyzeWith, places, symbols } from './analyzing.js';

const analyze = (packages: readonly string[], files: Readonly<Record<string, string>>) =>
  analyzeWith(phpReader, 'Packagist', packages, files);

const lock = JSON.stringify({
  packages: [
    { name: 'guzzlehttp/guzzle', autoload: { 'psr-4': { 'GuzzleHttp\\': 'src/' } } },
    { name: 'guzzlehttp/psr7', autoload: { 'psr-4': { 'GuzzleHttp\\Psr7\\': 'src/' } } },
    { name: 'laravel/framework', autoload: { 'psr-4': { 'Illuminate\\': ['src/Illuminate/'] } } },
    { name: 'acme/odd', autoload: [] },
  ],
});

test('use statements and whole names, by the prefixes of composer.lock', async () => {
  const found = await analyze(['guzzlehttp/guzzle', 'guzzlehttp/psr7', 'laravel/framework', 'twig/twig'], {
    'composer.lock': lock,
    'src/A.php': `<html><?php
namespace App; // use GuzzleHttp\\Comment;
use GuzzleHttp\\{Client, Psr7\\Request as R};
use function GuzzleHttp\\Psr7\\stream_for, Twig\\Environment;
# use Illuminate\\No;
#[\\Illuminate\\Attribute\\One]
class A { use \\Illuminate\\Bus\\Queueable; }
$f = function () use ($x) { return new \\Twig\\Loader\\ArrayLoader([]); };
$s = "new \\\\Illuminate\\\\Text"; $h = <<<EOT
use Illuminate\\InText;
EOT;
?> use Illuminate\\Markup;
`,
  });
  expect(places(found)).toEqual([
    'guzzlehttp/guzzle src/A.php:3:1 prod',
    'guzzlehttp/psr7 src/A.php:3:1 prod',
    'guzzlehttp/psr7 src/A.php:4:1 prod',
    'twig/twig src/A.php:4:1 prod',
    'laravel/framework src/A.php:7:11 prod',
    'laravel/framework src/A.php:6:3 prod',
    'twig/twig src/A.php:8:40 prod',
  ]);
  expect(symbols(found, 'guzzlehttp/psr7')).toEqual(['GuzzleHttp\\Psr7\\Request', 'GuzzleHttp\\Psr7\\stream_for']);
  expect(found).toMatchObject({ parseErrors: 0, unresolved: 0 });
});

test('production reaches classes by PSR-4, and files by include', async () => {
  const found = await analyze(['guzzlehttp/guzzle'], {
    'composer.lock': lock,
    'composer.json': '{"autoload": {"psr-4": {"App\\\\": "src/"}}, "autoload-dev": []}',
    'public/index.php':
      "<?php\nrequire __DIR__ . '/../vendor/autoload.php';\nrequire __DIR__.'/../routes.php'; require $x;",
    'routes.php': '<?php\nuse App\\Http\\Home;',
    'src/Http/Home.php': '<?php\nuse GuzzleHttp\\Client;',
    'src/Dead.php': '<?php\nuse GuzzleHttp\\Client;',
    'tests/HomeTest.php': '<?php\nuse GuzzleHttp\\Client;',
  });
  expect(places(found)).toEqual([
    'guzzlehttp/guzzle src/Dead.php:2:1 prod',
    'guzzlehttp/guzzle src/Http/Home.php:2:1 prod reached',
    'guzzlehttp/guzzle tests/HomeTest.php:2:1 test',
  ]);
  expect(found).toMatchObject({ unknownDynamic: 1, unresolved: 0 });
});

test('a broken manifest is no matter, and a class of nowhere is unresolved', async () => {
  const found = await analyze(['twig/twig'], {
    'composer.lock': '{',
    'composer.json': '[]',
    'a.php': '<?php use Missing\\Thing; use Twig\\Environment; new DateTime();',
  });
  expect(places(found)).toEqual(['twig/twig a.php:1:26 prod']);
  expect(found.unresolved).toBe(1);
});

/** A composer.lock as composer writes it. */
const lockOf = (...packages: readonly object[]) => JSON.stringify({ packages, 'packages-dev': [] }, null, 4);
const vendor = { autoload: { 'psr-4': { 'Acme\\Thing\\': 'src/' } } };

describe('packages that something else loads', () => {
  test.each([
    ['Laravel discovers it', { name: 'acme/thing', ...vendor, extra: { laravel: { providers: ['Acme\\Thing\\P'] } } }],
    ['a bundle of Symfony', { name: 'acme/thing', ...vendor, type: 'symfony-bundle' }],
    ['a transport of Symfony', { name: 'acme/thing', ...vendor, type: 'symfony-mailer-bridge' }],
    ['a module of Drupal', { name: 'acme/thing', type: 'drupal-module' }],
    ['a plugin of WordPress', { name: 'acme/thing', type: 'wordpress-plugin' }],
    ['an extension of TYPO3', { name: 'acme/thing', ...vendor, type: 'typo3-cms-extension' }],
    ['files of the class loader', { name: 'acme/thing', autoload: { ...vendor.autoload, files: ['helpers.php'] } }],
    ['classes that the lock file does not name', { name: 'acme/thing', autoload: { classmap: ['lib/'] } }],
  ])('%s', async (_, locked) => {
    const found = await analyze(['acme/thing'], { 'composer.lock': lockOf(locked), 'index.php': '<?php' });
    expect(places(found)).toEqual(['acme/thing composer.lock:4:1 prod mention']);
  });

  test('a library, and what is for development, is not', async () => {
    const lock = { packages: [{ name: 'acme/thing', ...vendor }], 'packages-dev': [{ name: 'acme/dev', type: 'x' }] };
    const files = { 'composer.lock': JSON.stringify(lock), 'index.php': '<?php' };
    expect((await analyze(['acme/thing', 'acme/dev'], files)).uses).toEqual([]);
  });
});

test.each([
  ['symfony/framework-bundle', 'symfony/dotenv'],
  ['twig/extra-bundle', 'twig/intl-extra'],
  ['laravel/framework', 'league/flysystem-sftp-v3'],
])('%s turns on %s', async (host, companion) => {
  const locked = [host, companion].map((name) => ({ name, autoload: { 'psr-4': { [`${name}\\`]: 'src/' } } }));
  const found = await analyze([companion], { 'composer.lock': lockOf(...locked), 'index.php': '<?php' });
  expect(found.uses.map(({ packageName, site }) => `${packageName} ${site.kind}`)).toEqual([`${companion} mention`]);
  expect(
    (await analyze([companion], { 'composer.lock': lockOf(...locked.slice(1)), 'index.php': '<?php' })).uses,
  ).toEqual([]);
});

test.each([
  ['with a backslash', '<?php\nnamespace App;\nclass A extends \\Parsedown {}'],
  ['in a file without a namespace', '<?php $a = new Parsedown();'],
  ['with parts of PSR-0', '<?php Parsedown_Extra::run();'],
])('a class without a namespace, %s', async (_, code) => {
  const locked = { name: 'erusev/parsedown', autoload: { 'psr-0': { Parsedown: '' } } };
  const found = await analyze(['erusev/parsedown'], { 'composer.lock': lockOf(locked), 'index.php': code });
  expect(found.uses.map(({ packageName, site }) => `${packageName} ${site.kind} ${site.role}`)).toEqual([
    'erusev/parsedown import prod',
  ]);
  expect(found.unresolved).toBe(0);
});

describe('classes that text names', () => {
  const lock = lockOf({ name: 'acme/thing', ...vendor });
  test.each([
    ['a setting of Laravel', 'config/app.php', "<?php return ['providers' => ['Acme\\\\Thing\\\\Provider']];"],
    ['a class constant', 'bootstrap/providers.php', '<?php return [\n Acme\\Thing\\Provider::class];'],
    ['a template of Blade', 'resources/views/a.blade.php', "<p>@inject('x', 'Acme\\Thing\\X')</p>"],
    ['code in a template of Blade', 'resources/views/a.blade.php', '<p>{{ \\Acme\\Thing\\X::y() }}</p>'],
    ['services of Symfony', 'config/services.yaml', 'services:\n  Acme\\Thing\\X: ~'],
    ['a mapping in XML', 'config/a.orm.xml', '<a type="Acme\\Thing\\X"/>'],
    ['a template of Twig', 'templates/a.html.twig', "{{ constant('Acme\\\\Thing\\\\X::Y') }}"],
    ['markup with code', 'page.phtml', '<p><?= new \\Acme\\Thing\\X() ?>'],
  ])('%s', async (_, path, text) => {
    const found = await analyze(['acme/thing'], { 'composer.lock': lock, [path]: text });
    expect(found.uses.map(({ packageName, site }) => `${packageName} ${site.file} ${site.role}`)).toEqual([
      `acme/thing ${path} prod`,
    ]);
  });

  test('text of tests, and comments, are not among it', async () => {
    const files = { 'tests/a.yaml': 'Acme\\Thing\\X', 'a.php': "<?php // was 'Acme\\Thing\\X' once" };
    expect((await analyze(['acme/thing'], { 'composer.lock': lock, ...files })).uses).toEqual([]);
  });
});

test('a framework reaches the classes of the project', async () => {
  const found = await analyze(['guzzlehttp/guzzle'], {
    'composer.lock': lock,
    'composer.json': JSON.stringify({
      require: { 'laravel/framework': '^11' },
      autoload: { 'psr-4': { 'App\\': 'app/' }, files: ['lib/helpers.php'] },
    }),
    'public/index.php': '<?php',
    'app/Http/Home.php': '<?php\nuse GuzzleHttp\\Client;',
    'routes/web.php': '<?php\nuse GuzzleHttp\\Client;',
    'lib/helpers.php': '<?php\nuse GuzzleHttp\\Client;',
    'other/Dead.php': '<?php\nuse GuzzleHttp\\Client;',
  });
  expect(places(found).map((place) => place.split(':')[0] + (place.endsWith('reached') ? ' reached' : ''))).toEqual([
    'guzzlehttp/guzzle app/Http/Home.php reached',
    'guzzlehttp/guzzle lib/helpers.php reached',
    'guzzlehttp/guzzle other/Dead.php',
    'guzzlehttp/guzzle routes/web.php reached',
  ]);
});

describe('code that hides packages', () => {
  test.each([
    ['a class from a parameter', 'function f($class) { return new $class(); }', ['unknown_dynamic new $class any']],
    ['a class of a field', 'return new $this->type();', ['unknown_dynamic new $this->type any']],
    ['a class of the file', '$a = Foo::class; new $a();', []],
    ['a class of a setting', "$a = config('x.y'); new $a();", []],
    ['a computed path', 'include $file;', ['unknown_dynamic include of a computed path any']],
    ['a path of the project', 'include __DIR__ . "/views/$file.php";', []],
    [
      'a path of packages',
      'include __DIR__ . "/vendor/$file.php";',
      ['unknown_dynamic include of a computed path any'],
    ],
    ['a file that is not there', "include 'gone.php';", ['unresolved_import gone.php any']],
    ['a file that a run makes', "include __DIR__ . '/storage/down.php';", []],
    ['a class of nowhere', 'use Thing\\A;', ['unowned_import Thing\\A acme/some-thing']],
  ])('%s', async (_, code, gaps) => {
    const found = await analyze(['acme/some-thing', 'other/x'], { 'index.php': `<?php ${code}` });
    expect(found.gaps.map(({ kind, detail, hides }) => `${kind} ${detail} ${hides}`)).toEqual(gaps);
  });
});

test.each([
  ['a string without end', "<?php $x = 'use Twig\\A;", 1],
  ['a here-document without end', '<?php $x = <<<EOT\nuse Twig\\A;', 1],
  ['no PHP', 'use Twig\\A;'.repeat(1000), 0],
  ['tags', '<?php ?>'.repeat(100_000), 0],
  ['uses without end', `<?php ${'use a '.repeat(20_000)}`, 0],
  ['quoted names', `<?php ${'"A\\B'.repeat(100_000)}`, 0],
  ['new objects', `<?php ${'new $a = '.repeat(20_000)}`, 0],
  ['names', `<?php ${'\\a\\b'.repeat(100_000)}`, 0],
])('hostile text: %s', async (_, text, parseErrors) => {
  expect(await analyze(['twig/twig'], { 'a.php': text })).toMatchObject({ files: 1, parseErrors });
});

test('what composer or a framework always loads is used where the project requires it', async () => {
  const packages = [
    { name: 'acme/discovered', extra: { laravel: { providers: ['Acme\\Provider'] } } },
    { name: 'acme/below', extra: { laravel: { providers: ['Acme\\Provider'] } } },
    { name: 'acme/helpers', autoload: { files: ['helpers.php'] } },
    { name: 'symfony/flex', type: 'composer-plugin' },
    { name: 'symfony/framework-bundle' },
    { name: 'symfony/translation' },
    { name: 'symfony/mailgun-mailer' },
  ];
  const names = packages.map(({ name }) => name);
  const require = Object.fromEntries(names.filter((name) => name !== 'acme/below').map((name) => [name, '*']));
  const kinds = async (found: typeof packages) => {
    const { uses } = await analyze(names, {
      'composer.lock': JSON.stringify({ packages: found }),
      'composer.json': JSON.stringify({ require }),
    });
    return Object.fromEntries(uses.map(({ packageName, site }) => [packageName, `${site.role} ${site.kind}`]));
  };
  expect(await kinds(packages)).toMatchObject({
    'acme/discovered': 'prod dynamic',
    'acme/below': 'prod mention',
    'acme/helpers': 'prod dynamic',
    'symfony/flex': 'prod dynamic',
    'symfony/translation': 'prod dynamic',
    'symfony/mailgun-mailer': 'prod mention',
  });
  const withoutHost = await kinds(packages.filter(({ name }) => name !== 'symfony/framework-bundle'));
  expect(withoutHost['symfony/translation']).not.toBe('prod dynamic');
});

test('the name of applications is of no package; neither is an alias', async () => {
  const found = await analyze(['laravel/pint', 'sebastian/exporter'], {
    'composer.lock': JSON.stringify({
      packages: [{ name: 'laravel/pint', autoload: { 'psr-4': { 'App\\': 'app/' } } }],
    }),
    'composer.json': '{"autoload": {"psr-4": {"App\\\\": "app/"}}}',
    'app/Models/User.php':
      '<?php\nnamespace App\\Models;\nuse Acme\\Annotation as Exporter;\n#[Exporter\\Order]\nclass User {}',
    'app/A.php': '<?php\nnamespace App;\nuse App\\Models\\User;',
    'app/B.php': '<?php\nnamespace App;\nuse App\\Elsewhere\\Tool;',
  });
  expect(places(found)).toEqual([]);
});

test('bundles that are registered for development alone are configuration', async () => {
  const found = await analyze(['acme/a-bundle', 'acme/b-bundle', 'acme/c-bundle'], {
    'composer.lock': JSON.stringify({
      packages: ['A', 'B', 'C'].map((each) => ({
        name: `acme/${each.toLowerCase()}-bundle`,
        autoload: { 'psr-4': { [`Acme\\${each}\\`]: '' } },
      })),
    }),
    'config/bundles.php': `<?php
return [
    Acme\\A\\Bundle::class => ['dev' => true, 'test' => true],
    Acme\\B\\Bundle::class => ['all' => true],
    Acme\\C\\Bundle::class => ['dev' => true, 'staging' => true],
];`,
  });
  expect(places(found)).toEqual([
    'acme/a-bundle config/bundles.php:3:5 config',
    'acme/b-bundle config/bundles.php:4:5 prod',
    'acme/c-bundle config/bundles.php:5:5 prod',
  ]);
});

test('the class loader of composer hides nothing, by whatever path', async () => {
  const { gaps } = await analyze(['acme/a'], {
    'bin/console': "<?php\nrequire_once dirname(__DIR__).'/vendor/autoload_runtime.php';",
    'public/index.php': "<?php\nrequire dirname(__DIR__, 2) . '/vendor/autoload.php';",
    'public/other.php': "<?php\nrequire dirname(__DIR__).'/vendor/'.$name.'/autoload.php';",
  });
  expect(gaps.map(({ file }) => file)).not.toContain('bin/console');
  expect(gaps.map(({ file }) => file)).not.toContain('public/index.php');
});
