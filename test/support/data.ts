import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Real advisories, lock files and reports. They are not part of the repository; tests that need them skip without. */
const folder = process.env['POSTERN_TEST_DATA'] ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));

export const hasData = existsSync(join(folder, 'osv'));

/** The path of one of these files, such as `osv/ghsa-npm.ndjson`. */
export function dataFile(path: string): string {
  return join(folder, path);
}
