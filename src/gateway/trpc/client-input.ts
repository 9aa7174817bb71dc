import * as z from 'zod';
import type { AnyProcedure } from '../../procedures/define.js';
import { isRecord } from '../../shared/json/is-record.js';
import { unwrap } from '../../shared/schema/unwrap.js';

/**
 * The input of a tRPC call as the other doors have it. superjson gives dates where a schema takes texts, and libraries for endless lists
 * say the `direction` in which they go.
 */
export function wireInput({ input: schema }: AnyProcedure, input: unknown): unknown {
  const asked = 'cursor' in schema.shape && isRecord(input) && 'direction' in input ? withoutDirection(input) : input;
  return takesDates(schema) ? withoutDates(asked, 0) : asked;
}

function withoutDirection({ direction: _direction, ...input }: Readonly<Record<string, unknown>>): unknown {
  return input;
}

const known = new WeakMap<z.ZodObject, boolean>();

function takesDates(schema: z.ZodObject): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const takes = hasDates(schema);
  known.set(schema, takes);
  return takes;
}

function hasDates(schema: unknown): boolean {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodCodec) return true;
  if (inner instanceof z.ZodArray) return hasDates(inner.element);
  if (inner instanceof z.ZodUnion) return inner.options.some(hasDates);
  return inner instanceof z.ZodObject && Object.values(inner.shape).some(hasDates);
}

/** Deeper than any schema. What is beyond it is refused as it is, and not by running out of stack. */
const maxDepth = 32;

function withoutDates(value: unknown, depth: number): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? value : value.toISOString();
  if (depth > maxDepth) return value;
  if (Array.isArray(value)) return value.map((each) => withoutDates(each, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutDates(each, depth + 1)]));
}
