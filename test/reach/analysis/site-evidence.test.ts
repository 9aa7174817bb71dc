import { describe, expect, test } from 'vitest';
import { siteEvidence } from '../../../src/reach/analysis/site-evidence.js';
import { site } from './locked.js';

describe('the places of a report', () => {
  test('come by weight: production first, what is reached first, imports before mentions; then by place', () => {
    const given = [
      site({ file: 'test/a.test.ts', role: 'test' }),
      site({ file: 'b.ts', line: 9 }),
      site({ file: 'b.ts', line: 2, column: 8 }),
      site({ file: 'b.ts', line: 2, column: 1 }),
      site({ file: 'types.ts', typeOnly: true }),
      site({ file: 'a.ts', reached: false }),
      site({ file: 'vite.config.ts', role: 'config' }),
    ];
    expect(siteEvidence(given, 'reached').sites.map(({ file, line, column }) => `${file}:${line}:${column}`)).toEqual([
      'b.ts:2:1',
      'b.ts:2:8',
      'b.ts:9:1',
      'a.ts:1:1',
      'types.ts:1:1',
      'vite.config.ts:1:1',
      'test/a.test.ts:1:1',
    ]);
  });

  test('are counted by role, before they are cut to fifty', () => {
    const sites = [
      ...Array.from({ length: 60 }, (_, i) => site({ line: i + 1, reached: i < 30 })),
      site({ file: 't.ts', typeOnly: true }),
      site({ file: 'x.test.ts', role: 'test', mock: true }),
      site({ file: 's.js', role: 'script' }),
      site({ file: 'c.js', role: 'config' }),
    ];
    expect(siteEvidence(sites, 'reached')).toMatchObject({
      counts: { prod: 61, reached: 30, test: 1, config: 1, script: 1, type: 1, mock: 1 },
      sites: { length: 50 },
      truncated: true,
    });
  });

  test('that were found twice count once', () => {
    expect(siteEvidence([site(), site()], 'reached').counts.prod).toBe(1);
  });

  test('are mentions only where production code does not import', () => {
    const mention = site({ kind: 'mention', line: 7 });
    expect(siteEvidence([site(), mention], 'reached').counts.prod).toBe(1);
    expect(siteEvidence([mention], 'mentioned').sites).toMatchObject([{ kind: 'mention', line: 7 }]);
  });
});

describe('the symbols', () => {
  test('are those of production code’s values, sorted and once', () => {
    const evidence = siteEvidence(
      [
        site({ symbols: ['template', 'merge'] }),
        site({ line: 2, symbols: ['merge'] }),
        site({ line: 3, symbols: ['Type'], typeOnly: true }),
        site({ line: 4, symbols: ['inTest'], role: 'test' }),
      ],
      'reached',
    );
    expect(evidence).toMatchObject({ symbols: ['merge', 'template'], symbols_complete: true, truncated: false });
  });

  test('are complete only if every place tells all of its own', () => {
    expect(siteEvidence([site(), site({ line: 2, symbolsComplete: false })], 'reached').symbols_complete).toBe(false);
    const inTests = site({ line: 2, role: 'test', symbolsComplete: false });
    expect(siteEvidence([site(), inTests], 'reached').symbols_complete).toBe(true);
  });

  test('stop at two hundred, and leave out names that no report can carry', () => {
    const many = siteEvidence([site({ symbols: Array.from({ length: 201 }, (_, i) => `s${i}`) })], 'reached');
    expect(many).toMatchObject({ symbols: { length: 200 }, symbols_complete: false, truncated: true });
    const odd = siteEvidence([site({ symbols: ['ok', 'a\nb', '', 'x'.repeat(257)], subpath: 'a\0' })], 'reached');
    expect(odd).toMatchObject({
      symbols: ['ok'],
      symbols_complete: false,
      sites: [{ symbols: ['ok'], subpath: null }],
    });
  });
});
