import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import type { Rows } from '../../src/reach/knowledge/knowledge-file.js';

const written = z.looseObject({ name: z.string(), about: z.string(), source: z.array(z.string()) });

/** Writes the rows of a table of the folder `knowledge`, with today's date, their generator and the files that it has read. */
export function writeTable(path: string, generator: string, inputs: readonly string[], rows: Rows): void {
  const { name, about, source } = written.parse(JSON.parse(readFileSync(path, 'utf8')));
  const checked = new Date().toISOString().slice(0, 10);
  const read = inputs.map((file) => ({ file, sha256: createHash('sha256').update(readFileSync(file)).digest('hex') }));
  const sorted = Object.fromEntries(Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1)));
  const table = { name, about, source, checked, generated_by: generator, inputs: read, rows: sorted };
  writeFileSync(path, `${JSON.stringify(table, null, 2)}\n`);
  process.stdout.write(`${path}: ${Object.keys(rows).length} rows\n`);
}
