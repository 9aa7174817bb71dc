import { expect, test } from 'vitest';
import { normaliseName } from '../../../../src/shared/packages/purl.js';

test.each([
  ['PyPI', 'Friendly_Bard', 'friendly-bard'],
  ['PyPI', 'FRIENDLY-._.-bard', 'friendly-bard'],
  ['NuGet', 'Newtonsoft.Json', 'newtonsoft.json'],
  ['Packagist', 'Symfony/HTTP-Kernel', 'symfony/http-kernel'],
  ['Maven', 'org.apache.logging.log4j:log4j-core', 'org.apache.logging.log4j:log4j-core'],
  ['Maven', 'org.apache.logging.log4j/log4j-core', 'org.apache.logging.log4j:log4j-core'],
  ['npm', 'JSONStream', 'JSONStream'],
  ['npm', '@babel/core', '@babel/core'],
  ['Go', 'github.com/Masterminds/semver', 'github.com/masterminds/semver'],
  ['crates.io', 'libpulse-binding', 'libpulse-binding'],
  ['crates.io', 'Inflector_rs', 'inflector-rs'],
  ['PyPI', 'zope.interface', 'zope-interface'],
  ['RubyGems', 'RedCloth', 'RedCloth'],
] as const)('%s compares %s as %s', (ecosystem, name, expected) => {
  expect(normaliseName(ecosystem, name)).toBe(expected);
});
