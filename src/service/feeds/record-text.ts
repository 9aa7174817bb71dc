import type * as z from 'zod';
import { type BadRecord, printable, type ReadResult } from './feed.js';

/** More than the largest known record (some list 20,000 versions), and still little memory. */
export const maxRecordBytes = 16 * 1024 * 1024;

export type RecordPosition = Pick<BadRecord, 'file' | 'at'>;

/** Reads the JSON value of one record. */
export type ReadValue<T> = (place: RecordPosition, value: unknown) => ReadResult<T>;

export function toBad(
  { file, at }: RecordPosition,
  field: string,
  problem: string,
  packages: readonly string[] | null = null,
): Extract<ReadResult<never>, { kind: 'bad' }> {
  return {
    kind: 'bad',
    bad: { file: printable(file), at: printable(at), field: printable(field), problem: printable(problem) },
    packages,
  };
}

export function readRecordText<T>(place: RecordPosition, text: string, read: ReadValue<T>): ReadResult<T> {
  const value = parseJson(text);
  return value === undefined ? toBad(place, '', 'is not JSON') : read(place, value);
}

/** The value of a JSON text; undefined, which JSON does not have, where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Where and what is wrong, by the first issue: most bad records have a single cause. */
export function describeIssue(error: z.ZodError): [field: string, problem: string] {
  const issue = error.issues[0];
  if (issue === undefined) return ['', 'is not valid'];
  const field = issue.path.map(String).join('.');
  if (issue.code === 'invalid_type' && issue.expected === 'date')
    return [field, 'is not a date such as 2025-08-15T00:00:00Z'];
  if (issue.message.endsWith('received undefined')) return [field, 'is missing'];
  return [field, issue.message.replace(/^Invalid \w+: /, '')];
}
