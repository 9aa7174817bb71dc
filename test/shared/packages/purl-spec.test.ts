import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Ecosystem, ecosystems } from '../../../src/shared/packages/ecosystem.js';
import { type PackageCoordinate, parsePurl, printPurl } from '../../../src/shared/packages/purl.js';

/** The published test files of the specification; purl-spec/README.md says where they come from. */
const folder = new URL('./purl-spec/', import.meta.url);

const components = z.object({
  type: z.string().nullable(),
  namespace: z.string().nullable(),
  name: z.string().nullable(),
  version: z.string().nullable(),
  qualifiers: z.record(z.string(), z.string()).nullish(),
});

/** https://packageurl.org/schemas/purl-test.schema-0.2.json */
const testFile = z.object({
  tests: z.array(
    z.discriminatedUnion('test_type', [
      z.object({
        test_type: z.literal('parse'),
        description: z.string(),
        input: z.string(),
        expected_output: components.nullable().default(null),
      }),
      z.object({
        test_type: z.literal('build'),
        description: z.string(),
        input: components,
        expected_output: z.string().nullable(),
      }),
      z.object({
        test_type: z.literal('validate'),
        description: z.string(),
        input: z.string(),
        expected_output: z.string().nullable(),
      }),
    ]),
  ),
});

type Case = z.infer<typeof testFile>['tests'][number];

/** Each type with what stands between namespace and name in the names of our ecosystem. */
const types: Readonly<Record<string, readonly [ecosystem: Ecosystem, separator: string]>> = {
  npm: ['npm', '/'],
  pypi: ['PyPI', '/'],
  golang: ['Go', '/'],
  cargo: ['crates.io', '/'],
  maven: ['Maven', ':'],
  gem: ['RubyGems', '/'],
  nuget: ['NuGet', '/'],
  composer: ['Packagist', '/'],
};

/** The components as we hold a package: without qualifiers and subpath, which do not say which package it is. */
function coordinateOf({ type, namespace, name, version }: z.infer<typeof components>): PackageCoordinate | null {
  const [ecosystem, separator] = types[type ?? ''] ?? [];
  if (ecosystem === undefined || name === null) return null;
  return { ecosystem, name: namespace === null ? name : `${namespace}${separator}${name}`, version };
}

function answerOf(each: Case): unknown {
  if (each.test_type === 'parse') return parsePurl(each.input);
  const coordinate = each.test_type === 'build' ? coordinateOf(each.input) : parsePurl(each.input);
  return coordinate === null ? null : printPurl(coordinate);
}

function expectedOf(each: Case): unknown {
  if (each.expected_output === null) return null;
  return each.test_type === 'parse' ? coordinateOf(each.expected_output) : each.expected_output.replace(/[?#].*$/, '');
}

const cases = readdirSync(folder)
  .filter((name) => name.endsWith('-test.json'))
  .flatMap((name) => testFile.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))).tests)
  .map((each): [key: string, each: Case] => [`${each.test_type} ${JSON.stringify(each.input)}`, each]);

/** Cases that we knowingly answer otherwise, with our answer. */
const deviations: Readonly<Record<string, unknown>> = {
  // The name stays as it is spelled: manifests are shown as written. Printing and matching bring it into canonical form.
  'parse "pkg:composer/Laravel/Laravel@5.5.0"': {
    ecosystem: 'Packagist',
    name: 'Laravel/Laravel',
    version: '5.5.0',
  },
  'parse "pkg:PYPI/Django_package@1.11.1.dev1"': {
    ecosystem: 'PyPI',
    name: 'Django_package',
    version: '1.11.1.dev1',
  },

  // Qualifiers do not say which package it is, so they are passed over, and their keys are not checked.
  'parse "pkg:gem/jruby-launcher@1.1.2?Platform=java"': {
    ecosystem: 'RubyGems',
    name: 'jruby-launcher',
    version: '1.1.2',
  },
  'parse "pkg:npm/myartifact@1.0.0?in%20production=true"': {
    ecosystem: 'npm',
    name: 'myartifact',
    version: '1.0.0',
  },

  'build {"type":"npm","namespace":null,"name":"myartifact","version":"1.0.0","qualifiers":{"in production":"true"}}':
    'pkg:npm/myartifact@1.0.0',

  // No registry has versions with spaces.
  'parse "pkg:maven/mygroup/myartifact@1.0.0%20Final?mykey=my%20value"': null,
  'validate "pkg:maven/mygroup/myartifact@1.0.0%20Final?mykey=my%20value"': null,

  // Only the types of our ecosystems are read and printed.
  'build {"type":"generic","namespace":null,"name":"openssl","version":"1.1.10g","qualifiers":{"checksum":"sha1:ad9503c3e994a4f,sha256:41bf9088b3a1e6c1ef1d"}}':
    null,
  'validate "pkg:generic/bitwarderl?checksum=sha1:ad9503c3e994a4f%2Csha256:41bf9088b3a1e6c1ef1d"': null,
};

describe('the test files of package-url/purl-spec', () => {
  test.each(cases)('%s', (key, each) => {
    const isDeviation = Object.hasOwn(deviations, key);
    expect(answerOf(each)).toEqual(isDeviation ? deviations[key] : expectedOf(each));
    if (isDeviation) expect(answerOf(each)).not.toEqual(expectedOf(each));
  });

  test('are there for every ecosystem', () => {
    expect(Object.values(types).map(([ecosystem]) => ecosystem)).toEqual(expect.arrayContaining([...ecosystems]));
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(Object.keys(types).map((type) => `${type}-test.json`)));
  });

  test('hold every deviation', () => {
    const keys = new Set(cases.map(([key]) => key));
    expect(Object.keys(deviations).filter((key) => !keys.has(key))).toEqual([]);
  });
});
