import * as z from 'zod';
import { timestamp } from '../../procedures/wire.js';
import { isRecord } from '../../shared/json/is-record.js';

/** What a reader gives for a value that it does not accept. Zod decides then, and says what is wrong. */
export const misfit = Symbol('misfit');

/**
 * Reads a JSON value: gives what `z.encode(schema, z.decode(schema, value))` gives, without dates and without a copy of what
 * is in that form already. It may answer `misfit` for a value that zod accepts, but never accepts what zod does not.
 */
export type Reader = (value: unknown) => unknown;

/** Compiles a reader. Throws for a kind of schema that it does not know: no procedure becomes slow in silence. */
export function compileReader(schema: unknown): Reader {
  if (schema instanceof z.ZodUnknown) return (value) => value;
  if (schema instanceof z.ZodNullable) {
    const read = compileReader(schema.unwrap());
    return (value) => (value === null ? null : read(value));
  }
  if (schema instanceof z.ZodObject) return objectReader(schema);
  if (schema instanceof z.ZodArray) return arrayReader(schema);
  if (schema instanceof z.ZodRecord) return recordReader(schema);
  if (schema instanceof z.ZodDiscriminatedUnion) return unionReader(schema);
  if (schema instanceof z.ZodCodec) return timestampReader(schema);
  if (schema instanceof z.ZodEnum) return oneOf(schema.options);
  if (schema instanceof z.ZodLiteral) return oneOf(schema.values);
  if (schema instanceof z.ZodBoolean) return (value) => (typeof value === 'boolean' ? value : misfit);
  if (schema instanceof z.ZodNumberFormat && schema.format === 'safeint' && !hasChecks(schema))
    return (value) => (Number.isSafeInteger(value) ? value : misfit);
  if (schema instanceof z.ZodNumber && !(schema instanceof z.ZodNumberFormat) && !hasChecks(schema))
    return (value) => (Number.isFinite(value) ? value : misfit);
  if (schema instanceof z.ZodISODate && !hasChecks(schema)) return matching([schema.def.pattern]);
  if (schema instanceof z.ZodString) return matching((schema.def.checks ?? []).map(patternOf));
  throw new Error(`no reader for a schema of the kind ${kindOf(schema)}`);
}

function kindOf(schema: unknown): string {
  return schema instanceof z.ZodType ? schema.def.type : typeof schema;
}

function hasChecks({ def }: z.ZodType): boolean {
  return (def.checks ?? []).length > 0;
}

function oneOf(values: Iterable<unknown>): Reader {
  const known = new Set(values);
  return (value) => (known.has(value) ? value : misfit);
}

function patternOf({ _zod: { def } }: z.core.$ZodCheck): RegExp | undefined {
  return def.check === 'string_format' && 'pattern' in def && def.pattern instanceof RegExp ? def.pattern : undefined;
}

function matching(patterns: readonly (RegExp | undefined)[]): Reader {
  const [pattern] = patterns;
  if (patterns.length === 0) return (value) => (typeof value === 'string' ? value : misfit);
  if (patterns.length > 1 || pattern === undefined || pattern.global || pattern.sticky)
    throw new Error('no reader for a text with other checks than one pattern');
  return (value) => (typeof value === 'string' && pattern.test(value) ? value : misfit);
}

/** Of a text that `timestamp` accepts and its date writes alike: the pattern leaves room for just three decimals and `Z`. */
function isCanonical(text: string): boolean {
  return text.length === '2026-01-01T00:00:00.000Z'.length && text.endsWith('Z');
}

function timestampReader({ def }: z.ZodCodec): Reader {
  const text = def.in;
  if (def.transform !== timestamp.def.transform || !(text instanceof z.ZodISODateTime) || hasChecks(text))
    throw new Error('no reader for another codec than a timestamp');
  const { pattern } = text.def;
  if (pattern === undefined) throw new Error('a timestamp without a pattern');
  return (value) => {
    if (typeof value !== 'string' || !pattern.test(value)) return misfit;
    if (isCanonical(value)) return value;
    const written = new Date(value).toISOString();
    // An offset can lead out of the years that the pattern knows.
    return pattern.test(written) ? written : misfit;
  };
}

function arrayReader(schema: z.ZodArray): Reader {
  const read = compileReader(schema.element);
  const maxLength = Math.min(...(schema.def.checks ?? []).map(maxLengthOf));
  return (values) => {
    if (!Array.isArray(values) || values.length > maxLength) return misfit;
    let changed: unknown[] | null = null;
    for (let at = 0; at < values.length; at++) {
      const wire = read(values[at]);
      if (wire === misfit) return misfit;
      if (changed === null && wire !== values[at]) changed = values.slice(0, at);
      changed?.push(wire);
    }
    return changed ?? values;
  };
}

function maxLengthOf({ _zod: { def } }: z.core.$ZodCheck): number {
  if (def.check === 'max_length' && 'maximum' in def && typeof def.maximum === 'number') return def.maximum;
  throw new Error(`no reader for a list with the check ${def.check}`);
}

/** Free-form values under any key but `__proto__`, which zod drops. */
function recordReader({ keyType, valueType }: z.ZodRecord): Reader {
  if (!(keyType instanceof z.ZodString) || hasChecks(keyType) || !(valueType instanceof z.ZodUnknown))
    throw new Error('no reader for a record of other values than unknown ones');
  return (value) => (isRecord(value) && !Object.hasOwn(value, '__proto__') ? value : misfit);
}

function unionReader({ def: { discriminator, options } }: z.ZodDiscriminatedUnion): Reader {
  const readers = new Map<unknown, Reader>();
  for (const option of options) {
    const tag = option instanceof z.ZodObject ? option.shape[discriminator] : undefined;
    if (!(tag instanceof z.ZodLiteral)) throw new Error('no reader for a union that no literal tells apart');
    const read = compileReader(option);
    for (const value of tag.values) readers.set(value, read);
  }
  return (value) => (isRecord(value) ? (readers.get(value[discriminator])?.(value) ?? misfit) : misfit);
}

interface Field {
  readonly name: string;
  readonly read: Reader;
  readonly optional: boolean;
}

function objectReader(schema: z.ZodObject): Reader {
  const { catchall, checks = [] } = schema.def;
  if (checks.length > 0) throw new Error('no reader for an object with checks');
  const fields = Object.entries(schema.shape).map(([name, field]): Field => {
    if (name in Object.prototype) throw new Error(`no reader for a field named ${name}`);
    const optional = field instanceof z.ZodOptional;
    return { name, optional, read: compileReader(optional ? field.unwrap() : field) };
  });
  if (catchall === undefined) return (value) => (isRecord(value) ? readFields(value, fields) : misfit);
  if (!(catchall instanceof z.ZodUnknown)) throw new Error('no reader for an object with typed other fields');
  return (value) => (isRecord(value) ? readLoose(value, fields) : misfit);
}

function readFields(value: Readonly<Record<string, unknown>>, fields: readonly Field[]): unknown {
  let changed: Record<string, unknown> | null = isInOrder(value, fields) ? null : {};
  for (const { name, read, optional } of fields) {
    const given = value[name];
    if (given === undefined) {
      if (!optional) return misfit;
      // An answer that never was JSON text may have fields that are undefined.
      if (changed === null && name in value) changed = fieldsBefore(name, value);
      continue;
    }
    const wire = read(given);
    if (wire === misfit) return misfit;
    if (changed === null && wire !== given) changed = fieldsBefore(name, value);
    if (changed !== null) changed[name] = wire;
  }
  return changed ?? value;
}

/** Whether the object's fields are the schema's alone, in the schema's order. Required ones may be missing. */
function isInOrder(value: Readonly<Record<string, unknown>>, fields: readonly Field[]): boolean {
  let next = 0;
  for (const name in value) {
    while (fields[next]?.optional === true && fields[next]?.name !== name) next++;
    if (fields[next]?.name !== name) return false;
    next++;
  }
  return true;
}

function fieldsBefore(end: string, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const before: Record<string, unknown> = {};
  for (const name in value) {
    if (name === end) break;
    before[name] = value[name];
  }
  return before;
}

/** Of an object that may have any other field: just one that begins with the schema's, in their form. */
function readLoose(value: Readonly<Record<string, unknown>>, fields: readonly Field[]): unknown {
  const names = Object.keys(value);
  const fits = fields.every(({ name, read }, at) => names[at] === name && read(value[name]) === value[name]);
  return fits && !Object.hasOwn(value, '__proto__') ? value : misfit;
}
