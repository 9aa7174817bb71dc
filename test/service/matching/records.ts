import { readFileSync } from 'node:fs';
import { dataFile } from '../../support/data.js';

export const recordFiles = ['ghsa-npm', 'ghsa-maven', 'ghsa-pypi', 'go-vulndb', 'rustsec', 'osv-npm-recent'] as const;

/** The OSV records of one file, as JSON. */
export function readRecords(file: (typeof recordFiles)[number]): unknown[] {
  const lines = readFileSync(dataFile(`osv/${file}.ndjson`), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line));
}
