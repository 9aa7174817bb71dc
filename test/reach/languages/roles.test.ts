import { expect, test } from 'vitest';
import { phpReader } from '../../../src/reach/languages/php/reader.js';
import { rustReader } from '../../../src/reach/languages/rust/reader.js';
import { analyze, places } from './analyzing.js';

test('Rust: what a manifest lists for production may be used by it in any folder but one of tests', async () => {
  const found = await analyze(rustReader, 'crates.io', ['log', 'clap'], {
    'Cargo.toml': '[package]\nname = "app"\n[dependencies]\nlog = "1"\n[dev-dependencies]\nclap = "1"\n',
    'examples/a.rs': 'use log::info;\nuse clap::Parser;',
    'tests/a.rs': 'use log::info;',
    'tools/x/Cargo.toml': '[package]\nname = "x"\n[target."cfg(unix)".dependencies]\nclap = "1"\n',
    'tools/x/src/main.rs': 'use clap::Parser;\nuse log::info;',
  });
  expect(places(found)).toEqual([
    'log examples/a.rs:1:5 prod mention',
    'clap examples/a.rs:2:5 script',
    'log tests/a.rs:1:5 test',
    'clap tools/x/src/main.rs:1:5 prod mention',
    'log tools/x/src/main.rs:2:5 script',
  ]);
});

test('PHP: the same', async () => {
  const found = await analyze(phpReader, 'Packagist', ['twig/twig', 'faker/faker'], {
    'composer.json': '{"require": {"twig/twig": "^3"}, "require-dev": {"faker/faker": "^1"}}',
    'scripts/a.php': '<?php\nuse Twig\\Environment;\nuse Faker\\Factory;',
    'tests/a.php': '<?php\nuse Twig\\Environment;',
  });
  expect(places(found)).toEqual([
    'twig/twig scripts/a.php:2:1 prod mention',
    'faker/faker scripts/a.php:3:1 script',
    'twig/twig tests/a.php:2:1 test',
  ]);
});
