import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { dump, load } from 'js-yaml';
import * as z from 'zod';

export interface Edit {
  readonly file: string;
  readonly change: string;
}

const table = z.record(z.string(), z.unknown());
type Table = z.output<typeof table>;

const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Writes the edits of a plan into the files of a project, word by word. Answers what cannot be done so. */
export function writeEdits(folder: string, source: string, edits: readonly Edit[]): string[] {
  const strange = edits.filter(
    ({ file, change }) => !file.startsWith(source) || !writeField(path.join(folder, file.slice(source.length)), change),
  );
  return strange.map(({ file, change }) => `${file}: ${change}`);
}

/** `"name": "version"`, or with the field before it, as `pnpm.overrides: "name@<2": "2.0.0"`. */
const assignment = /^(?:(?<field>[\w./@-]+): )?"(?<key>[^"]+)": "(?<value>[^"]+)"$/;

function writeField(file: string, change: string): boolean {
  const { field, key, value } = assignment.exec(change)?.groups ?? {};
  const isYaml = file.endsWith('.yaml');
  if (key === undefined || value === undefined || (!isYaml && !existsSync(file))) return false;
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  const content = table.parse((isYaml ? load(text) : JSON.parse(text)) ?? {});
  const section = sections.find((each) => key in table.catch({}).parse(content[each])) ?? 'dependencies';
  const fields = field?.split('.') ?? [section];
  tableIn(content, fields)[key] = value;
  writeFileSync(file, isYaml ? dump(content) : `${JSON.stringify(content, null, 2)}\n`);
  return true;
}

/** The table at these fields, made where there is none. */
function tableIn(content: Table, fields: readonly string[]): Table {
  let inner = content;
  for (const field of fields) {
    const next = table.catch({}).parse(inner[field]);
    inner[field] = next;
    inner = next;
  }
  return inner;
}

/**
 * Deletes the entries that any of the patterns asks for: in Yarn 1's lock file a line of patterns, and what is indented below. Answers the
 * patterns that it does not have.
 */
export function deleteEntries(file: string, patterns: readonly string[]): string[] {
  if (patterns.length === 0) return [];
  const left = new Set(patterns);
  const kept = readFileSync(file, 'utf8')
    .split(/\n(?=\S)/)
    .filter((entry) => {
      const [head = ''] = entry.split('\n');
      const own = head.replace(/:$/, '').replaceAll('"', '').split(', ');
      for (const pattern of own) left.delete(pattern);
      return !own.some((pattern) => patterns.includes(pattern));
    });
  writeFileSync(file, kept.join('\n'));
  return [...left].map((pattern) => `no entry of ${pattern}`);
}
