import type { Request } from 'express';
import { type AnyProcedure, type Groups, isCallable } from '../procedures/define.js';
import { isRecord } from '../shared/json/is-record.js';
import { maxCalls } from './request-checks.js';

/** A query of a tRPC request. */
export interface Query {
  readonly path: string;
  readonly procedure: AnyProcedure;
  /** As superjson reads it; undefined where the request has none. */
  readonly input: unknown;
}

export interface Queries {
  readonly queries: readonly Query[];
  /** Whether the answer is a list. */
  readonly isBatch: boolean;
}

/** The procedures that only read, by their tRPC path. */
export function queriesOf(groups: Groups): ReadonlyMap<string, AnyProcedure> {
  return new Map(
    Object.entries(groups).flatMap(([group, members]) =>
      Object.entries(members).flatMap(([name, procedure]) =>
        procedure.access === 'read' && isCallable(procedure) ? [[`${group}.${name}`, procedure] as const] : [],
      ),
    ),
  );
}

/**
 * The queries of a request that is a plain GET of known ones; null for any other, right or wrong.
 *
 * @param deserialize reads an input as tRPC does
 */
export function readQueries(
  { method, url, headers }: Request,
  known: ReadonlyMap<string, AnyProcedure>,
  deserialize: (input: unknown) => unknown,
): Queries | null {
  if (method !== 'GET' || headers['trpc-accept'] !== undefined || /jsonl/i.test(headers.accept ?? '')) return null;
  const [, path, search] = /^\/([\w.,]+)(?:\?([^#]*))?$/.exec(url) ?? [];
  if (path === undefined) return null;
  const parameters = new URLSearchParams(search);
  for (const name of parameters.keys()) if (name !== 'batch' && name !== 'input') return null;
  const isBatch = parameters.get('batch') === '1';
  const paths = isBatch ? path.split(',') : [path];
  if (paths.length > maxCalls) return null;
  const queries: Query[] = [];
  try {
    const given = readInput(parameters.get('input'), isBatch);
    for (const [index, name] of paths.entries()) {
      const procedure = known.get(name);
      if (procedure === undefined) return null;
      const input = given[index];
      queries.push({ path: name, procedure, input: input === undefined ? undefined : deserialize(input) });
    }
  } catch {
    return null;
  }
  return { queries, isBatch };
}

/** Inputs by the index of their query, still as superjson wrote them. Throws where they cannot be read. */
function readInput(text: string | null, isBatch: boolean): Readonly<Record<string, unknown>> {
  if (text === null || text === '') return {};
  const input: unknown = JSON.parse(text);
  if (!isBatch) return { 0: input };
  if (!isRecord(input)) throw new TypeError('the input of a batch is an object');
  return input;
}
