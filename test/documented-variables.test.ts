import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { environment } from '../src/env.js';
import { root } from './support/build.js';

const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const defaults = parseEnv(read('.env.example'));

/** The rows of the tables in docs/configuration.md by the variable's name. */
const rows = [...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
  ([, name = '', byDefault = '', takes = '', does = '']) => ({ name, byDefault, takes, does }),
);

/** What the schema says of a wrong value; `text` where it takes any. */
function takenBy(name: string): string {
  const parsed = environment.safeParse({ [name]: '!' });
  return parsed.error?.issues[0]?.message.replace(/^takes /, '') ?? 'text';
}

test('docs/configuration.md has every variable that is read, once', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(environment.shape).sort());
});

test.each(rows)('$name: default and what it takes are those of the schema, in a short line', (row) => {
  const byDefault = defaults[row.name];
  expect(row.byDefault).toBe(byDefault === '' ? 'none' : `\`${byDefault}\``);
  expect(row.takes).toBe(takenBy(row.name));
  expect(row.does.length).toBeLessThan(160);
});

test.each(['mcp-router', 'reach'])('each variable in the help of %s is in the document', (program) => {
  const help = execFileSync(process.execPath, [path.join(root, `dist/${program}.js`), '--help'], { encoding: 'utf8' });
  const named = help.match(/\b(?:SERVICE|POSTERN|LOG)_[A-Z_]+\b/g) ?? [];
  expect(named.filter((name) => !rows.some((row) => row.name === name))).toEqual([]);
});

test('this test sees what a variable takes', () => {
  expect(takenBy('PORT')).toBe('a whole number from 0 to 65535');
  expect(takenBy('DATA_DIR')).toBe('text');
});
