import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { agreementOf, type Comparison, compareWithBundler, minAgreement } from '../../../support/bundler-oracle.js';
import { oracleTrees, placeTree } from '../../../support/oracle-trees.js';

const folder = mkdtempSync(join(tmpdir(), 'oracle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('against a bundler that leaves packages outside', () => {
  const comparisons: Comparison[] = [];

  test.each(oracleTrees)(
    '$name',
    async (tree) => {
      const comparison = await compareWithBundler(placeTree(tree, folder), tree.entries);
      comparisons.push(comparison);
      expect(comparison.missed).toEqual([]);
    },
    60_000,
  );

  test('finds at least 99.5 % of the packages, and 98 % of what it finds is right', () => {
    const { packages, recall, precision } = agreementOf(comparisons);
    expect(comparisons).toHaveLength(oracleTrees.length);
    expect(packages).toBeGreaterThan(50);
    expect(recall).toBeGreaterThanOrEqual(minAgreement.recall);
    expect(precision).toBeGreaterThanOrEqual(minAgreement.precision);
  });
});
