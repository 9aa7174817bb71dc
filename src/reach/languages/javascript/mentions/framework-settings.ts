import { rowsOf } from '../../../knowledge/knowledge.js';
import type { PlacedString } from './file-strings.js';

const fieldsByFile = new Map(
  Object.entries(rowsOf('javascript/framework-settings')).map(([file, fields]) => [file, new Set(fields)]),
);

/** Fields by which the configuration of a framework names what goes into the application, by the name of the file. */
export function loadingFields(name: string): ReadonlySet<string> | null {
  return fieldsByFile.get(/^(.+)\.[cm]?[jt]s$/.exec(name)?.[1] ?? '') ?? null;
}

/** The string, marked as loaded where its field is one of these. */
export function loadedBy(fields: ReadonlySet<string>, string: PlacedString): PlacedString {
  return string.field !== undefined && fields.has(string.field) ? { ...string, loads: true } : string;
}
