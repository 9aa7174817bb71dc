import { expect, test } from 'vitest';
import { cvssWords } from '../../../../../src/web/pages/alerts/detail/cvss-words.js';

test('a vector of CVSS 3.1 in words, in the order of a reader’s questions', () => {
  expect(cvssWords('CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:L/A:N')).toEqual([
    ['Reached by', 'network'],
    ['Complexity', 'low'],
    ['Privileges', 'none'],
    ['User interaction', 'required'],
    ['Scope', 'changed'],
    ['Confidentiality', 'high'],
    ['Integrity', 'low'],
    ['Availability', 'none'],
  ]);
});

test('CVSS 4.0 has requirements, and effects on others', () => {
  const words = cvssWords('CVSS:4.0/AV:P/AC:H/AT:P/PR:L/UI:A/VC:N/VI:N/VA:N/SC:L/SI:S/SA:N');
  expect(words).toContainEqual(['Requirements', 'present']);
  expect(words).toContainEqual(['User interaction', 'active']);
  expect(words).toContainEqual(['Integrity of others', 'safety']);
});

test('CVSS 2 has its own words', () => {
  expect(cvssWords('AV:N/AC:M/Au:S/C:P/I:C/A:N')).toContainEqual(['Authentication', 'once']);
});

test('what is not known is left out', () => {
  expect(cvssWords('CVSS:3.1/AV:Z/constructor:N/AC')).toEqual([]);
});
