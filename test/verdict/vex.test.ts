import { expect, test } from 'vitest';
import { usageClasses } from '../../src/shared/vulnerability-terms.js';
import { vexState } from '../../src/verdict/vex.js';

test.each([null, ...usageClasses])('a machine verdict (%s) alone never exports not_affected', (usage) => {
  expect(vexState({ resolution: null, override: null, usage })).toEqual({
    cycloneDx: { state: 'in_triage' },
    openVex: 'under_investigation',
  });
});

test.each([
  ['not_used', 'code_not_reachable'],
  ['dev_only', 'code_not_reachable'],
  ['not_loaded', 'code_not_reachable'],
  ['not_analyzed', 'requires_environment'],
  ['transitive_only', 'requires_environment'],
  ['loaded', 'requires_environment'],
  ['imported', 'requires_environment'],
  [null, 'requires_environment'],
] as const)('NotExploitable over %s is justified by %s, with the reason', (usage, justification) => {
  expect(vexState({ resolution: null, override: { verdict: 'NotExploitable', reason: 'sandboxed' }, usage })).toEqual({
    cycloneDx: { state: 'not_affected', justification, detail: 'sandboxed' },
    openVex: 'not_affected',
  });
});

test('Exploitable exports exploitable with an update as the response', () => {
  expect(
    vexState({
      resolution: null,
      override: { verdict: 'Exploitable', reason: 'called by a plugin' },
      usage: 'not_used',
    }),
  ).toEqual({
    cycloneDx: { state: 'exploitable', response: ['update'], detail: 'called by a plugin' },
    openVex: 'affected',
  });
});

test.each(['package_removed', 'upgraded'] as const)(
  'an alert resolved as %s is fixed, whatever was said of it',
  (resolution) => {
    expect(vexState({ resolution, override: { verdict: 'NotExploitable', reason: 'x' }, usage: 'called' })).toEqual({
      cycloneDx: { state: 'resolved' },
      openVex: 'fixed',
    });
  },
);

test.each([
  ['advisory_withdrawn', 'The advisory has been withdrawn.'],
  ['no_longer_affected', 'The advisory has been corrected: the installed version is not affected.'],
] as const)('an alert resolved as %s was a false one, and nothing was fixed', (resolution, detail) => {
  expect(vexState({ resolution, override: { verdict: 'Exploitable', reason: 'x' }, usage: 'called' })).toEqual({
    cycloneDx: { state: 'false_positive', detail },
    openVex: 'not_affected',
  });
});
