import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareVersions, isPrerelease, isVersion } from '../../../../src/service/matching/versions/index.js';
import { type Ecosystem, ecosystems } from '../../../../src/shared/packages/ecosystem.js';

const number = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 40 }), fc.constant(20240131)).map(String);

function dotted(minLength: number, maxLength: number) {
  return fc.array(number, { minLength, maxLength }).map((parts) => parts.join('.'));
}

/** Composer reads a first number of more than five digits as a date only. */
const smallDotted = fc
  .array(fc.nat({ max: 30 }).map(String), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('.'));

function optional(texts: readonly string[]) {
  return fc.oneof(fc.constant(''), fc.constantFrom(...texts));
}

function joined(...parts: fc.Arbitrary<string>[]) {
  return fc.tuple(...parts).map((texts) => texts.join(''));
}

const semverLabel = optional([
  '-alpha',
  '-alpha.1',
  '-alpha.beta',
  '-beta.2',
  '-beta.11',
  '-rc-1',
  '-0',
  '-0.3.7',
  '-X',
]);
const semverBuild = optional(['+build.1', '+incompatible']);

/** Versions as people write them, drawn from few parts, so that near and equal ones meet often. */
const plausible: Record<Ecosystem, fc.Arbitrary<string>> = {
  npm: joined(optional(['v', '=']), dotted(3, 3), semverLabel, semverBuild),
  Go: joined(
    optional(['v']),
    dotted(3, 3),
    fc.oneof(semverLabel, fc.constant('-0.20191109021931-daa7c04131f5')),
    semverBuild,
  ),
  'crates.io': joined(dotted(3, 3), semverLabel, semverBuild),
  NuGet: joined(dotted(2, 4), semverLabel, semverBuild),
  PyPI: joined(
    optional(['1!', 'v']),
    dotted(1, 4),
    optional(['a1', '-beta.2', 'rc', 'c1', '.pre2']),
    optional(['.post1', '-2', 'rev']),
    optional(['.dev', '.dev3']),
    optional(['+abc', '+1', '+abc.1', '+1.abc']),
  ),
  Maven: joined(
    dotted(1, 4),
    optional(['-alpha-1', 'a1', '.beta2', '-M3', '.RC1', '-SNAPSHOT', '.Final', '-sp1', '-jre', '.v2018', '-1', 'b']),
  ),
  RubyGems: joined(dotted(1, 4), optional(['.pre', '.pre.1', '.beta2', '-rc1', '.A', '.a.0'])),
  Packagist: fc.oneof(
    joined(
      optional(['v']),
      smallDotted,
      optional(['-alpha1', 'b2', '-RC', '-p1', '-dev', '-beta2-dev', '-stable']),
      optional(['+meta']),
    ),
    fc.constantFrom('1.x-dev', '1.2.x-dev'),
  ),
};

describe.each(ecosystems)('%s', (ecosystem) => {
  const version = plausible[ecosystem];
  const order = (a: string, b: string) => Math.sign(compareVersions(ecosystem, a, b) ?? Number.NaN);

  test('reads every plausible version', () => {
    fc.assert(fc.property(version, (a) => isVersion(ecosystem, a) && order(a, a) === 0));
  });

  test('compares numbers by their value', () => {
    expect(order('1.9.0', '1.10.0')).toBe(-1);
  });

  test('is antisymmetric', () => {
    fc.assert(
      fc.property(version, version, (a, b) => order(a, b) === 0 - order(b, a)),
      { numRuns: 500 },
    );
  });

  test('is transitive, equality included', () => {
    const property = fc.property(version, version, version, (a, b, c) => {
      const [low = a, middle = b, high = c] = [a, b, c].sort(order);
      const whole = order(low, high);
      expect(whole).toBeLessThanOrEqual(0);
      expect(whole).toBe(Math.min(order(low, middle), order(middle, high)));
    });
    fc.assert(property, { numRuns: 1000 });
  });

  test('says the same of a version with white space around it', () => {
    fc.assert(
      fc.property(version, version, (a, b) => {
        expect(order(` ${a}\n`, b)).toBe(order(a, b));
        expect(isPrerelease(ecosystem, ` ${a}`)).toBe(isPrerelease(ecosystem, a));
      }),
    );
  });

  test('never throws and always ends, whatever the text', () => {
    const hostile = fc.oneof(
      fc.string({ maxLength: 400 }),
      fc.string({ unit: fc.constantFrom('1', '.', '-', 'a', '+', 'v', '_', 'dev', 'rc', '0', ' '), maxLength: 400 }),
    );
    fc.assert(
      fc.property(hostile, hostile, (a, b) => compareVersions(ecosystem, a, b) !== undefined),
      { numRuns: 2000 },
    );
    for (const unit of ['1', '1.', '.1', '-1', 'a1', '1-', '-a', '.dev', 'rc', '+', '0']) {
      const text = `1${unit.repeat(127)}`.slice(0, 255);
      isVersion(ecosystem, `${text}!`);
      compareVersions(ecosystem, text, `${text}1`);
    }
  });

  test('calls nothing longer than 256 characters a version', () => {
    expect(isVersion(ecosystem, `1.0.${'0'.repeat(252)}`)).toBe(true);
    expect(isVersion(ecosystem, `1.0.${'0'.repeat(253)}`)).toBe(false);
  });
});
