import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Imports of values: what is only a type is gone when a test runs. */
const testModule = /^(?:import|export)(?! type\b)[^;]*? from '(\.[^']+)\.js'/gm;

/** Long ones about formats, and about what npm resolves. Others send the statements behind them to each database. */
const once: readonly string[] = ['openapi/fuzz.test.ts', 'sbom/round-trip.test.ts', 'scanners/receipts.test.ts'];

/**
 * The test files in a folder that use a database: those that import `support/database.ts`, directly or not. Only these
 * have to run once for each database.
 *
 * @param folder absolute: `test/service`
 */
export function databaseTests(folder: string): string[] {
  const database = path.join(import.meta.dirname, 'database.ts');
  const known = new Map<string, boolean>([[database, true]]);
  const usesDatabase = (file: string): boolean => {
    const answer = known.get(file) ?? importsOf(file).some(usesDatabase);
    known.set(file, answer);
    return answer;
  };
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join(folder, name));
  const notAgain = new Set(once.map((name) => path.join(folder, name)));
  for (const file of notAgain) if (!files.includes(file)) throw new Error(`${file} is not there any more`);
  return files.filter((file) => !notAgain.has(file) && usesDatabase(file));
}

/** The modules of the tests that a test file or a module of the tests imports. Modules of `src` import none. */
function importsOf(file: string): string[] {
  const tests = path.dirname(import.meta.dirname);
  return [...readFileSync(file, 'utf8').matchAll(testModule)]
    .map(([, target = '']) => path.resolve(path.dirname(file), `${target}.ts`))
    .filter((target) => target.startsWith(tests + path.sep));
}
