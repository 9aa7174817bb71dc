import { expect, test } from 'vitest';
import { usageClasses } from '../../src/shared/vulnerability-terms.js';
import { vexState } from '../../src/verdict/vex.js';

test.each([null, ...usageClasses])('a machine verdict (%s) alone never exports not_affected', (usage) => {
  expect(vexState({ resolved: false, override: null, usage })).toEqual({
    cycloneDx: { state: 'in_triage' },
    openVex: 'under_investigation',
  });
});

test.each([
  ['not_used', 'code_not_reachable'],
  ['transitive_only', 'code_not_reachable'],
  ['imported', 'requires_environment'],
  [null, 'requires_environment'],
] as const)('NotExploitable over %s is justified by %s, with the reason', (usage, justification) => {
  expect(vexState({ resolved: false, override: { verdict: 'NotExploitable', reason: 'sandboxed' }, usage })).toEqual({
    cycloneDx: { state: 'not_affected', justification, detail: 'sandboxed' },
    openVex: 'not_affected',
  });
});

test('Exploitable exports exploitable with an update as the response', () => {
  expect(
    vexState({
      resolved: false,
      override: { verdict: 'Exploitable', reason: 'called by a plugin' },
      usage: 'not_used',
    }),
  ).toEqual({
    cycloneDx: { state: 'exploitable', response: ['update'], detail: 'called by a plugin' },
    openVex: 'affected',
  });
});

test('a resolved alert exports resolved, whatever was said of it', () => {
  expect(vexState({ resolved: true, override: { verdict: 'NotExploitable', reason: 'x' }, usage: 'called' })).toEqual({
    cycloneDx: { state: 'resolved' },
    openVex: 'fixed',
  });
});
