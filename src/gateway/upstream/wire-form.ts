import * as z from 'zod';
import type { AnyProcedure, Groups } from '../../procedures/define.js';
import { isRecord } from '../../shared/json/is-record.js';
import { compileReader } from './wire-reader.js';

/**
 * Reads the body of an answer in wire form: validated, with the schema's fields alone, timestamps as a `Date` writes them.
 * The same as zod's decoding and encoding, in one pass where nothing is wrong.
 */
export type ReadWire = (procedure: AnyProcedure, body: unknown) => z.ZodSafeParseResult<Record<string, unknown>>;

/** Compiles a reader for each procedure. */
export function createReadWire(groups: Groups): ReadWire {
  const members = Object.values(groups).flatMap((group) => Object.values(group));
  const readers = new Map(members.map((procedure) => [procedure, readerOf(procedure)]));
  return (procedure, body) => (readers.get(procedure) ?? readerOf(procedure))(body);
}

type Read = z.ZodSafeParseResult<Record<string, unknown>>;

function readerOf(procedure: AnyProcedure): (body: unknown) => Read {
  const reader = compileReader(procedure.output);
  return (body) => {
    const wire = reader(body);
    return isRecord(wire) ? { success: true, data: wire } : readByZod(procedure, body);
  };
}

/** What the reader does not accept: nearly always wrong, and then zod says where. */
function readByZod({ output }: AnyProcedure, body: unknown): Read {
  const decoded = z.safeParse(output, body);
  return decoded.success ? z.safeEncode(output, decoded.data) : decoded;
}
