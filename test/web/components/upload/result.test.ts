import { expect, test } from 'vitest';
import { changeSentences, readResult, receiptSentence } from '../../../../src/web/components/upload/result.js';

const receipt = {
  rows: 10,
  taken: 5,
  merged: 1,
  skipped: 2,
  skipped_rows: [{ pointer: '/runs/0/results/3', reason: 'has no message' }],
  left_out: [{ kind: 'passed', count: 2 }],
};

const sentencesOf = (answer: unknown) => {
  const result = readResult(answer);
  return result === null ? null : changeSentences(result);
};

test('a receipt is a sum that adds up', () => {
  expect(receiptSentence(receipt)).toBe(
    '10 rows: 5 taken, 1 merged with one that was taken, 2 skipped, 2 left out (passed checks).',
  );
});

test('a report says what it changed, and why something was not fixed', () => {
  const findings = { total: 8, new: 3, reopened: 1, fixed: 2, unchanged: 4, suppressed: 0 };
  const note = 'nothing of semgrep counts as fixed: 2 rows were skipped';
  expect(sentencesOf({ scan_job_id: 'sjb_1', duplicate: false, findings, note, receipt })).toEqual([
    'Findings: 3 new, 1 reopened, 2 fixed, 4 unchanged, 0 accepted in the report.',
    note,
  ]);
});

test('the same content again changes nothing', () => {
  expect(sentencesOf({ duplicate: true, receipt })).toEqual(['This very content was here already: nothing changed.']);
});

test('an SBOM says what came of packages, alerts and its own vulnerabilities', () => {
  const answer = {
    ...{ source: 'sbom:shop', format: 'CycloneDX 1.6', added: 7, updated: 1, removed: 0, unchanged: 90 },
    alerts: { opened: 2, reopened: 0, resolved: 1 },
    not_matched: { count: 1, types: [{ type: 'deb', count: 1 }], note: null },
    vulnerabilities: { ...receipt, taken: 1, without_alert: 1 },
    receipt,
  };
  expect(sentencesOf(answer)).toEqual([
    'Packages of sbom:shop: 7 added, 1 updated, 0 removed, 90 unchanged.',
    'Alerts: 2 opened, 0 reopened, 1 resolved.',
    '1 component kept that no feed is compared with.',
    'The document states 1 vulnerability; for 1 no advisory here gives an alert.',
  ]);
});

test('an answer of another form is not shown as one', () => {
  expect(sentencesOf('done')).toBeNull();
  expect(sentencesOf({ receipt: { rows: 'many' } })).toBeNull();
});
