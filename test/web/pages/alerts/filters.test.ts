import { describe, expect, test } from 'vitest';
import { alertFilters, isFiltered, listInput, namedBy } from '../../../../src/web/pages/alerts/filters.js';

describe('the filters of a list of alerts', () => {
  test('keep what is valid of a bad link', () => {
    const found = alertFilters.parse({ tier: 'RED', band: 'worst', kev: 'yes', status: 7, package: '  ', cve: 'x' });
    expect(found).toEqual({ tier: 'RED', cve: 'x' });
  });

  test('leave resolved alerts out unless they are asked for', () => {
    expect(listInput({}, undefined)).toEqual({ resolved: false });
    expect(listInput({ status: 'all', tier: 'RED' }, 'p1')).toEqual({ project_id: 'p1', tier: 'RED' });
    expect(listInput({ status: 'resolved' }, 'p1')).toEqual({ project_id: 'p1', status: 'resolved' });
  });

  test('read an id in any case as a vulnerability, and all else as a part of a name', () => {
    expect(namedBy(' cve-2019-10744 ')).toEqual({ cve: 'CVE-2019-10744', package: undefined });
    expect(namedBy('angular-2-cve-2019-10744')).toEqual({ cve: undefined, package: 'angular-2-cve-2019-10744' });
    expect(namedBy('date-fns')).toEqual({ cve: undefined, package: 'date-fns' });
    expect(namedBy(' ')).toEqual({ cve: undefined, package: undefined });
  });

  test('are set when one of them is, and false is a value', () => {
    expect(isFiltered({ fixable: false })).toBe(true);
    expect(isFiltered({ tier: undefined })).toBe(false);
  });
});
