import { expect } from 'vitest';
import { compareVersions } from '../../../../src/service/matching/versions/index.js';
import type { Ecosystem } from '../../../../src/shared/packages/ecosystem.js';

/** Every version is below all that follow it, in both directions. */
export function expectAscending(ecosystem: Ecosystem, versions: readonly string[]): void {
  versions.forEach((low, i) => {
    for (const high of versions.slice(i + 1)) {
      expect(compareVersions(ecosystem, low, high), `${low} < ${high}`).toBeLessThan(0);
      expect(compareVersions(ecosystem, high, low), `${high} > ${low}`).toBeGreaterThan(0);
    }
  });
}

/** All spellings name the same version. */
export function expectEqual(ecosystem: Ecosystem, spellings: readonly string[]): void {
  for (const a of spellings) {
    for (const b of spellings) expect(compareVersions(ecosystem, a, b), `${a} = ${b}`).toBe(0);
  }
}
