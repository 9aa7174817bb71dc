import { expect, test } from 'vitest';
import { classifyUsage, type ReportedDependency } from '../../src/verdict/usage.js';

const dependency = (
  usage: ReportedDependency['usage'],
  more: Partial<ReportedDependency> = {},
): ReportedDependency => ({
  usage,
  scope: 'runtime',
  symbols: [],
  ...more,
});

test.each([
  ['not in the report', null, true, 'transitive_only', 'low'],
  ['reached', dependency('reached'), true, 'called', 'high'],
  ['imported', dependency('imported'), true, 'imported', 'high'],
  [
    'imported, though declared for development',
    dependency('imported', { scope: 'development' }),
    true,
    'imported',
    'high',
  ],
  ['imported, with a vulnerable symbol', dependency('imported', { symbols: ['template'] }), true, 'called', 'high'],
  ['tooling with a vulnerable symbol', dependency('tooling', { symbols: ['template'] }), true, 'dev_only', 'medium'],
  ['development, transitive', dependency('transitive', { scope: 'development' }), true, 'dev_only', 'high'],
  ['development, unused', dependency('unused', { scope: 'development' }), true, 'dev_only', 'high'],
  ['tooling', dependency('tooling'), true, 'dev_only', 'medium'],
  ['types alone', dependency('type_only'), true, 'dev_only', 'medium'],
  ['mentioned', dependency('mentioned'), true, 'transitive_only', 'low'],
  ['transitive', dependency('transitive'), true, 'transitive_only', 'high'],
  ['transitive, report incomplete', dependency('transitive'), false, 'transitive_only', 'medium'],
  ['unused', dependency('unused'), true, 'not_used', 'high'],
  ['unused, report incomplete', dependency('unused'), false, 'transitive_only', 'low'],
] as const)('%s', (_, reported, complete, usage, confidence) => {
  expect(classifyUsage(reported, ['template'], complete)).toMatchObject({ usage, confidence });
});

test('the vulnerable symbols that are referenced are named', () => {
  const reported = dependency('reached', { symbols: ['merge', 'template', 'get'] });
  expect(classifyUsage(reported, ['template', 'defaultsDeep'], true).vulnerableSymbols).toEqual(['template']);
  expect(classifyUsage(reported, ['lodash.merge', 'lodash.mergeWith'], true).vulnerableSymbols).toEqual([
    'lodash.merge',
  ]);
});
