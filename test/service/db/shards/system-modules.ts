import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../support/build.js';

/** Modules that work as the system, who sees the rows of all organisations. Tenants' statements get a condition from the database. */
export function systemModules(): string[] {
  const works = /\.(?:system|statements)\(/;
  return readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && works.test(readFileSync(path.join(root, 'src', name), 'utf8')))
    .map((name) => `src/${name.replaceAll(path.sep, '/')}`)
    .sort();
}

/** Those whose statements are not among the plans, and why. */
export const notAsked: Readonly<Record<string, string>> = {
  'src/bin/feeds-command.ts': 'a program that loads feeds as the service does',
  'src/service/backup/online-copy.ts': 'of the embedded database alone',
  'src/service/db/move/move-database.ts': 'reads the embedded database',
};
