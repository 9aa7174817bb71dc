import superjson from 'superjson';
import * as z from 'zod';
import type { AnyProcedure, Groups } from '../../procedures/define.js';
import { isRecord } from '../../shared/json/is-record.js';

/**
 * The JSON text that superjson makes of an answer with its dates, from the answer in wire form. The schema knows which
 * texts are dates, so nothing has to look for them. A negative zero is a zero, as JSON has it elsewhere. Throws what superjson
 * throws.
 */
export type ToEnvelope = (procedure: AnyProcedure, wire: Wire) => string;

type Wire = Readonly<Record<string, unknown>>;
type Write = (wire: Wire) => string;

/** Compiles an envelope for each procedure. */
export function createToEnvelope(groups: Groups): ToEnvelope {
  const members = Object.values(groups).flatMap((group) => Object.values(group));
  const writers = new Map(members.map((procedure) => [procedure, compileWriter(procedure)]));
  return (procedure, wire) => (writers.get(procedure) ?? compileWriter(procedure))(wire);
}

function compileWriter({ output }: AnyProcedure): Write {
  // Anything may be in there that superjson has a note for, or refuses.
  if (isFreeForm(output)) return (wire) => superjson.stringify(z.decode(output, wire));
  const find = compileFinder(output);
  return (wire) => {
    const json = JSON.stringify(wire);
    const notes: string[] = [];
    find?.(wire, '', notes);
    return notes.length === 0 ? `{"json":${json}}` : `{"json":${json},"meta":{"values":{${notes.join()}},"v":1}}`;
  };
}

/** Whether a value of any form may be within. */
function isFreeForm(schema: unknown): boolean {
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodRecord) return true;
  if (schema instanceof z.ZodObject)
    return schema.def.catchall !== undefined || Object.values(schema.shape).some(isFreeForm);
  return insideOf(schema).some(isFreeForm);
}

function insideOf(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return [schema.unwrap()];
  if (schema instanceof z.ZodArray) return [schema.element];
  return schema instanceof z.ZodDiscriminatedUnion ? schema.options : [];
}

/** Adds superjson's note for each date in a value that is neither null nor absent. */
type Finder = (value: unknown, path: string, notes: string[]) => void;

/** Null where the schema has no dates. */
function compileFinder(schema: unknown): Finder | null {
  if (schema instanceof z.ZodCodec) return (_value, path, notes) => notes.push(`"${path}":["Date"]`);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return compileFinder(schema.unwrap());
  if (schema instanceof z.ZodArray) return rowsFinder(compileFinder(schema.element));
  if (schema instanceof z.ZodObject) return fieldsFinder(schema);
  return schema instanceof z.ZodDiscriminatedUnion ? optionsFinder(schema) : null;
}

function rowsFinder(find: Finder | null): Finder | null {
  if (find === null) return null;
  return (rows, path, notes) => {
    if (!Array.isArray(rows)) return;
    for (let at = 0; at < rows.length; at++) if (rows[at] !== null) find(rows[at], `${path}.${at}`, notes);
  };
}

function fieldsFinder({ shape }: z.ZodObject): Finder | null {
  const fields = Object.entries(shape).flatMap(([name, field]) => {
    const find = compileFinder(field);
    return find === null ? [] : [{ name, step: stepOf(name), find }];
  });
  if (fields.length === 0) return null;
  return (value, path, notes) => {
    if (!isRecord(value)) return;
    const start = path === '' ? '' : `${path}.`;
    for (const { name, step, find } of fields) {
      const inner = value[name];
      if (inner !== null && inner !== undefined) find(inner, `${start}${step}`, notes);
    }
  };
}

/** A key in a path, in JSON: superjson escapes backslashes and dots, and JSON what it must. */
function stepOf(name: string): string {
  return JSON.stringify(name.replaceAll('\\', '\\\\').replaceAll('.', '\\.')).slice(1, -1);
}

function optionsFinder({ def: { discriminator, options } }: z.ZodDiscriminatedUnion): Finder | null {
  const finders = new Map<unknown, Finder | null>();
  for (const option of options) {
    const tag = option instanceof z.ZodObject ? option.shape[discriminator] : undefined;
    if (tag instanceof z.ZodLiteral) for (const value of tag.values) finders.set(value, compileFinder(option));
  }
  return (value, path, notes) => {
    if (isRecord(value)) finders.get(value[discriminator])?.(value, path, notes);
  };
}
