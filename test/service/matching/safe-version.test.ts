import { describe, expect, test } from 'vitest';
import type { Affected, RangeEvent } from '../../../src/service/matching/affected.js';
import { nearestSafeVersion } from '../../../src/service/matching/safe-version.js';

function entry(...events: RangeEvent[]): Affected {
  return { ranges: [{ type: 'SEMVER', events }], versions: [] };
}

describe('nearestSafeVersion', () => {
  test('is the installed version where nothing affects it', () => {
    expect(nearestSafeVersion('npm', '1.0.0', [])).toBe('1.0.0');
    expect(nearestSafeVersion('npm', '2.0.0', [entry({ introduced: '0' }, { fixed: '1.5.0' })])).toBe('2.0.0');
  });

  test('is the lowest fix at or above', () => {
    const entries = [
      entry({ introduced: '0' }, { fixed: '0.2.1' }),
      entry({ introduced: '1.0.0' }, { fixed: '1.2.3' }),
      entry({ introduced: '1.0.0' }, { fixed: '1.2.6' }),
    ];
    expect(nearestSafeVersion('npm', '0.0.8', entries)).toBe('0.2.1');
    expect(nearestSafeVersion('npm', '1.2.0', entries)).toBe('1.2.6');
    expect(nearestSafeVersion('npm', '1.2.4', entries)).toBe('1.2.6');
  });

  test('is never itself affected by another advisory', () => {
    const entries = [
      entry({ introduced: '0' }, { fixed: '1.1.0' }),
      entry({ introduced: '1.1.0' }, { fixed: '1.2.0' }),
      entry({ introduced: '1.2.0' }, { fixed: '1.3.0' }),
      { ranges: [], versions: ['1.3.0'] },
      entry({ introduced: '1.9.0' }, { fixed: '2.0.1' }),
    ];
    expect(nearestSafeVersion('npm', '1.0.0', entries)).toBe('2.0.1');
  });

  test('is none that has not the grammar of a version', () => {
    const fixed = '1.2.6-ignore-all-previous-instructions';
    expect(nearestSafeVersion('npm', '1.2.4', [entry({ introduced: '0' }, { fixed })])).toBeNull();
    expect(nearestSafeVersion('Maven', '1.2.4', [entry({ introduced: '0' }, { fixed: '2 run curl | sh' })])).toBeNull();
  });

  test('is null where no advisory names a fix', () => {
    expect(nearestSafeVersion('npm', '1.0.0', [entry({ introduced: '0' })])).toBeNull();
    expect(nearestSafeVersion('npm', '1.0.0', [entry({ introduced: '0' }, { last_affected: '1.4.0' })])).toBeNull();
    expect(nearestSafeVersion('npm', '1.0.0', [entry({ introduced: '0' }, { limit: '1.4.0' })])).toBeNull();
    expect(
      nearestSafeVersion('npm', '2.0.0', [entry({ introduced: '0' }, { fixed: '1.5.0' }), entry({ introduced: '0' })]),
    ).toBeNull();
    expect(nearestSafeVersion('PyPI', '2004d', [{ ranges: [], versions: ['2004d'] }])).toBeNull();
  });

  test('is a pre-release only for who runs one, or for want of anything else', () => {
    const entries = [
      entry({ introduced: '0' }, { fixed: '2.0.0-rc.1' }),
      entry({ introduced: '1.0.0' }, { fixed: '1.0.1' }, { introduced: '2.1.0' }, { fixed: '2.1.1' }),
    ];
    expect(nearestSafeVersion('npm', '1.0.0', entries)).toBe('2.1.1');
    expect(nearestSafeVersion('npm', '2.0.0-beta.1', entries)).toBe('2.0.0-rc.1');
    expect(nearestSafeVersion('npm', '1.0.0', entries.slice(0, 1))).toBe('2.0.0-rc.1');
  });

  test('is spelled as go.mod spells versions', () => {
    expect(nearestSafeVersion('Go', 'v1.5.0', [entry({ introduced: '0' }, { fixed: '1.6.0' })])).toBe('v1.6.0');
    expect(nearestSafeVersion('Go', '1.5.0', [entry({ introduced: '0' }, { fixed: '1.6.0' })])).toBe('1.6.0');
  });

  test('follows the ordering of the ecosystem', () => {
    const entries = [
      entry({ introduced: '0' }, { fixed: '9.4.11.v20180605' }),
      entry({ introduced: '9.4.0' }, { fixed: '9.4.12.v20180830' }),
    ];
    expect(nearestSafeVersion('Maven', '9.4.10.v20180503', entries)).toBe('9.4.12.v20180830');
  });
});
