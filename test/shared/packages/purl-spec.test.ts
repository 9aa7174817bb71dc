import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Ecosystem, ecosystems } from '../../../src/shared/packages/ecosystem.js';
import {
  isKnownPurlType,
  type PackageCoordinate,
  parsePurl,
  printPurl,
  purlType,
} from '../../../src/shared/packages/purl.js';

/** The published test files of the specification; purl-spec/README.md says where they come from. */
const folder = new URL('./purl-spec/', import.meta.url);

const components = z.object({
  type: z.string().nullable(),
  namespace: z.string().nullable(),
  name: z.string().nullable(),
  version: z.string().nullable(),
  qualifiers: z.record(z.string(), z.string()).nullish(),
});

/** https://packageurl.org/schemas/purl-test.schema-0.2.json, and 1.0, which calls `validate` `roundtrip`. */
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
        test_type: z.enum(['validate', 'roundtrip']),
        description: z.string(),
        input: z.string(),
        expected_output: z.string().nullable(),
      }),
      // What is worth a remark in a package URL that can be read.
      z.object({
        test_type: z.literal('validation'),
        description: z.string(),
        input: z.string(),
        expected_output: z.array(z.unknown()),
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
  if (each.test_type === 'build') return build(each.input);
  const coordinate = parsePurl(each.input);
  if (each.test_type === 'validation') return coordinate !== null;
  return coordinate === null ? null : printPurl(coordinate);
}

/** The package URL without qualifiers, which we do not print; null where it would be malformed with them. */
function build(input: z.infer<typeof components>): string | null {
  const coordinate = coordinateOf(input);
  if (coordinate === null) return null;
  const printed = printPurl(coordinate);
  const qualifiers = Object.entries(input.qualifiers ?? {}).map(
    ([key, value]) => `${key}=${encodeURIComponent(value)}`,
  );
  return parsePurl(`${printed}?${qualifiers.join('&')}`) === null ? null : printed;
}

function expectedOf(each: Case): unknown {
  if (each.expected_output === null) return null;
  if (each.test_type === 'validation') return true;
  return each.test_type === 'parse' ? coordinateOf(each.expected_output) : each.expected_output.replace(/[?#].*$/, '');
}

const cases = readdirSync(folder)
  .filter((name) => name.endsWith('-test.json'))
  .flatMap((name) => testFile.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))).tests)
  .map((each): [key: string, each: Case] => [`${each.test_type} ${JSON.stringify(each.input)}`, each]);

/** The specification's own file has cases of types that we neither read nor print. */
function isOfOurTypes(each: Case): boolean {
  const type = each.test_type === 'build' ? each.input.type : purlType(each.input);
  return type === null || isKnownPurlType(type);
}

describe('the test files of package-url/purl-spec', () => {
  test.each(cases.filter(([, each]) => isOfOurTypes(each)))('%s', (_, each) => {
    expect(answerOf(each)).toEqual(expectedOf(each));
  });

  test.each(cases.filter(([, each]) => !isOfOurTypes(each)))('%s: another type is not read', (_, each) => {
    expect(answerOf(each)).toBeNull();
  });

  test('are there for every ecosystem', () => {
    expect(Object.values(types).map(([ecosystem]) => ecosystem)).toEqual(expect.arrayContaining([...ecosystems]));
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(Object.keys(types).map((type) => `${type}-test.json`)));
  });
});
