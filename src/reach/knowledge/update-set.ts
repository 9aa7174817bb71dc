import { type KeyObject, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { openBundle } from './bundle.js';
import { KnowledgeError } from './knowledge-file.js';
import {
  bundleName,
  dateOf,
  type ParsedSet,
  parseSet,
  readSet,
  requireParts,
  rowsIn,
  shippedSet,
} from './knowledge-set.js';

export interface UpdateOptions {
  /** The bundle's address or file, for errors. */
  readonly name: string;
  readonly text: string;
  /** The publisher's; null: the bundle need not be signed. */
  readonly key: KeyObject | null;
  /** The folder of the set. */
  readonly folder: string;
  /** Takes an older set too. */
  readonly force: boolean;
}

/**
 * Puts the set of a bundle into a folder, in one step, once all of it was found right.
 *
 * @returns its date, and a line for each file that differs from the set that was in use
 * @throws KnowledgeError that says why the folder is as it was
 */
export function updateSet({ name, text, key, folder, force }: UpdateOptions): {
  readonly date: string;
  readonly changes: readonly string[];
} {
  const shipped = parseSet(shippedSet());
  const opened = openBundle(name, text, key);
  const parsed = parseSet(opened.files);
  requireParts(parsed, shipped);
  const date = dateOf(parsed);
  if (date !== opened.date)
    throw new KnowledgeError(`${name}: manifest: date: is ${opened.date}, and the files were last checked on ${date}`);
  const present = presentSet(folder, shipped);
  const newest = [dateOf(present), dateOf(shipped)].sort().at(-1) ?? '';
  if (date < newest && !force)
    throw new KnowledgeError(`${name}: is of ${date}, older than the present set of ${newest}; --force takes it`);
  replace(folder, text);
  return { date, changes: changesBetween(present, parsed) };
}

/** The set of the folder; the shipped one where it has none, or one that cannot be read. */
function presentSet(folder: string, shipped: ParsedSet): ParsedSet {
  try {
    return existsSync(join(folder, bundleName)) ? parseSet(readSet(folder)) : shipped;
  } catch (error) {
    if (error instanceof KnowledgeError) return shipped;
    throw error;
  }
}

/** A reader finds the set as it was or as it is now, also after a crash. */
function replace(folder: string, text: string): void {
  const aside = join(folder, `.${randomUUID()}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(aside, text, { flush: true });
    renameSync(aside, join(folder, bundleName));
  } catch (error) {
    if (existsSync(aside)) rmSync(aside);
    throw new KnowledgeError(`${folder}: cannot be written (${codeOfError(error) ?? 'unknown reason'})`);
  }
}

function changesBetween(before: ParsedSet, after: ParsedSet): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    const oldRows = new Set(old && rowsIn(old));
    const newRows = new Set(now && rowsIn(now));
    const added = [...newRows].filter((row) => !oldRows.has(row)).length;
    const removed = [...oldRows].filter((row) => !newRows.has(row)).length;
    const change = old === undefined ? 'new file, ' : now === undefined ? 'file removed, ' : '';
    return [`${path}: ${change}rows: ${added} added, ${removed} removed`];
  });
}
