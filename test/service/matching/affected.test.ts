import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Affected, isAffected, type RangeEvent, withLastKnown } from '../../../src/service/matching/affected.js';

function ranges(...lists: RangeEvent[][]): Affected {
  return { ranges: lists.map((events) => ({ type: 'SEMVER', events })), versions: [] };
}

function affectedOf(affected: Affected, versions: readonly string[]): string[] {
  return versions.filter((version) => isAffected('npm', version, affected));
}

describe('isAffected', () => {
  test('includes introduced, excludes fixed', () => {
    const affected = ranges([{ introduced: '1.0.0' }, { fixed: '1.2.0' }]);
    expect(affectedOf(affected, ['0.9.9', '1.0.0-rc.1', '1.0.0', '1.1.9', '1.2.0-rc.1', '1.2.0', '2.0.0'])).toEqual([
      '1.0.0',
      '1.1.9',
      '1.2.0-rc.1',
    ]);
  });

  test('includes last_affected', () => {
    const affected = ranges([{ introduced: '1.0.0' }, { last_affected: '1.2.0' }]);
    expect(affectedOf(affected, ['0.9.9', '1.0.0', '1.2.0', '1.2.1'])).toEqual(['1.0.0', '1.2.0']);
  });

  test('takes "0" for before everything', () => {
    expect(isAffected('npm', '0.0.0-alpha', ranges([{ introduced: '0' }, { fixed: '1.0.0' }]))).toBe(true);
    expect(isAffected('Go', 'v0.0.0-20180904163835-0709b304e793', ranges([{ introduced: '0' }]))).toBe(true);
    expect(isAffected('PyPI', '0.dev0', ranges([{ introduced: '0' }, { fixed: '0.1' }]))).toBe(true);
  });

  test('leaves a range open that only has introduced', () => {
    expect(affectedOf(ranges([{ introduced: '2.0.0' }]), ['1.9.9', '2.0.0', '99.0.0'])).toEqual(['2.0.0', '99.0.0']);
  });

  test('knows several intervals in one range, in whatever order the events come', () => {
    const events: RangeEvent[] = [
      { introduced: '0' },
      { fixed: '1.2.3' },
      { introduced: '2.0.0' },
      { last_affected: '2.1.0' },
      { introduced: '3.0.0' },
    ];
    const versions = ['0.1.0', '1.2.2', '1.2.3', '1.9.0', '2.0.0', '2.1.0', '2.1.1', '2.9.0', '3.0.0', '4.0.0'];
    const expected = ['0.1.0', '1.2.2', '2.0.0', '2.1.0', '3.0.0', '4.0.0'];
    fc.assert(
      fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
        expect(affectedOf(ranges(shuffled), versions)).toEqual(expected);
      }),
    );
  });

  test('keeps events of one version as listed', () => {
    expect(isAffected('npm', '2.0.0', ranges([{ introduced: '0' }, { fixed: '2.0.0' }, { introduced: '2.0.0' }]))).toBe(
      true,
    );
    expect(isAffected('npm', '2.0.0', ranges([{ introduced: '2.0.0' }, { fixed: '2.0.0' }]))).toBe(false);
  });

  test('needs one range of several', () => {
    const affected = ranges(
      [{ introduced: '1.0.0' }, { fixed: '1.1.0' }],
      [{ introduced: '1.0.5' }, { fixed: '1.2.0' }],
    );
    expect(affectedOf(affected, ['1.0.0', '1.1.5', '1.2.0'])).toEqual(['1.0.0', '1.1.5']);
  });

  test('ends before the furthest limit', () => {
    const affected = ranges([{ introduced: '1.0.0' }, { limit: '1.5.0' }, { limit: '2.0.0' }]);
    expect(affectedOf(affected, ['1.0.0', '1.9.9', '2.0.0', '2.0.1'])).toEqual(['1.0.0', '1.9.9']);
    expect(isAffected('npm', '9.0.0', ranges([{ introduced: '1.0.0' }, { limit: '*' }]))).toBe(true);
  });

  test('matches a listed version by the ecosystem, not by its spelling', () => {
    const listed = (...versions: string[]): Affected => ({ ranges: [], versions });
    expect(isAffected('PyPI', '1.0', listed('1.0.0'))).toBe(true);
    expect(isAffected('Maven', '4.2.0.RELEASE', listed('4.2'))).toBe(true);
    expect(isAffected('Go', 'v1.2.3', listed('1.2.3'))).toBe(true);
    expect(isAffected('npm', '1.2.4', listed('1.2.3'))).toBe(false);
  });

  test('lets either do, where an entry has ranges and versions', () => {
    const affected: Affected = { ...ranges([{ introduced: '1.0.0' }, { fixed: '1.1.0' }]), versions: ['3.0.0'] };
    expect(affectedOf(affected, ['1.0.5', '2.0.0', '3.0.0'])).toEqual(['1.0.5', '3.0.0']);
  });

  test('matches an installed version that is none by its exact spelling, or by a range of every version', () => {
    const affected: Affected = { ...ranges([{ introduced: '0' }, { fixed: '2005' }]), versions: ['2004d'] };
    expect(isAffected('PyPI', '2004d', affected)).toBe(true);
    expect(isAffected('PyPI', '2004e', affected)).toBe(false);
    expect(isAffected('PyPI', '2004e', { ...ranges([{ introduced: '0' }]), versions: ['2004d'] })).toBe(true);
  });

  test('takes a bound without any number to the wide side', () => {
    expect(isAffected('npm', '1.0.0', ranges([{ introduced: 'unknown' }, { fixed: '2.0.0' }]))).toBe(true);
    expect(isAffected('npm', '1.0.0', ranges([{ introduced: '0' }, { fixed: 'unknown' }]))).toBe(true);
    expect(isAffected('npm', '1.0.0', ranges([{ introduced: '0' }, { limit: 'unknown' }]))).toBe(true);
  });

  test('takes a bound of a distribution for the release it begins with, and that release for affected', () => {
    const affected = ranges([{ introduced: '0.7.6' }, { fixed: '0.8.3ubuntu7.5' }]);
    const versions = ['0.7.5', '0.7.6', '0.8.2', '0.8.3', '0.8.4', '24.0.0'];
    expect(versions.filter((version) => isAffected('PyPI', version, affected))).toEqual(['0.7.6', '0.8.2', '0.8.3']);
    expect(isAffected('PyPI', '0.8.3', ranges([{ introduced: '0.8.3ubuntu1' }]))).toBe(true);
    expect(isAffected('PyPI', '0.8.3', ranges([{ introduced: '0' }, { limit: '0.8.3ubuntu1' }]))).toBe(true);
    expect(isAffected('PyPI', '0.8.4', ranges([{ introduced: '0' }, { limit: '0.8.3ubuntu1' }]))).toBe(false);
  });

  test('takes a local build for the release it was built from', () => {
    const affected = ranges([{ introduced: '2.0.0' }, { last_affected: '2.0.1' }]);
    expect(isAffected('PyPI', '2.0.1+cu118', affected)).toBe(true);
    expect(isAffected('PyPI', '2.0.2+cu118', affected)).toBe(false);
    expect(isAffected('PyPI', '2.0.1+cu118', { ranges: [], versions: ['2.0.1'] })).toBe(true);
    expect(isAffected('PyPI', '2.0.1+cu118', ranges([{ introduced: '0' }, { fixed: '2.0.1' }]))).toBe(false);
    expect(isAffected('PyPI', '2.0.1', ranges([{ introduced: '0' }, { fixed: '2.0.1+patched' }]))).toBe(true);
  });

  test('orders Packagist versions as Composer does', () => {
    const affected = ranges(
      [{ introduced: '10.0.0-alpha1' }, { fixed: '10.4.6' }],
      [{ introduced: '11' }, { fixed: '11.1.0-beta1' }],
    );
    const versions = [
      '9.5.11',
      '10.0.0-alpha1',
      '10.0.0-beta2',
      '10.4.5',
      '10.4.6',
      '11.0.0.0',
      '11.1.0-alpha1',
      '11.1.0-beta1',
      'dev-main',
    ];
    expect(versions.filter((version) => isAffected('Packagist', version, affected))).toEqual([
      '10.0.0-alpha1',
      '10.0.0-beta2',
      '10.4.5',
      '11.0.0.0',
      '11.1.0-alpha1',
    ]);
  });
});

describe('withLastKnown', () => {
  test('closes an open range with an inclusive bound', () => {
    const affected = withLastKnown(ranges([{ introduced: '0' }]), '<= 1.2.3');
    expect(affectedOf(affected, ['1.2.3', '1.2.4'])).toEqual(['1.2.3']);
  });

  test('closes an open range with an exclusive bound, which is not a fix', () => {
    const affected = withLastKnown(ranges([{ introduced: '1.0.0' }]), '< 1.2.3');
    expect(affectedOf(affected, ['0.9.0', '1.2.2', '1.2.3'])).toEqual(['1.2.2']);
    expect(affected.ranges[0]?.events).not.toContainEqual({ fixed: '1.2.3' });
  });

  test('leaves a range that has an end of its own', () => {
    const closed = ranges(
      [{ introduced: '0' }, { fixed: '2.0.0' }],
      [{ introduced: '3.0.0' }, { last_affected: '3.1.0' }],
    );
    expect(withLastKnown(closed, '<= 1.2.3')).toEqual(closed);
  });

  test.each(['', '1.2.3', '>= 1.0.0', '<= 1.0.0, > 2'])('does not guess at %j', (text) => {
    const open = ranges([{ introduced: '0' }]);
    expect(withLastKnown(open, text)).toEqual(open);
  });
});
