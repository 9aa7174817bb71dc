import { expect, test } from 'vitest';
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

test.each([
  ['a string without end', "<?php $x = 'use Twig\\A;", 1],
  ['a here-document without end', '<?php $x = <<<EOT\nuse Twig\\A;', 1],
  ['no PHP', 'use Twig\\A;'.repeat(1000), 0],
  ['tags', '<?php ?>'.repeat(100_000), 0],
  ['uses without end', `<?php ${'use a '.repeat(20_000)}`, 0],
  ['names', `<?php ${'\\a\\b'.repeat(100_000)}`, 0],
])('hostile text: %s', async (_, text, parseErrors) => {
  expect(await analyze(['twig/twig'], { 'a.php': text })).toMatchObject({ files: 1, parseErrors });
});
