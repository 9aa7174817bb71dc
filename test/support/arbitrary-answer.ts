import fc from 'fast-check';
import * as z from 'zod';
import { isRecord } from '../../src/shared/json/is-record.js';

/** Keys that superjson escapes, that it refuses, or that JavaScript treats in a way of its own. */
const hostileKeys = ['a.b', 'back\\slash', '1', '', 'constructor', 'prototype', '__proto__', 'toJSON', '"', '\u2028'];

/** Texts of outsiders, honest and hostile. */
export const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    ':[a](b "c")',
    '<!-- x -->',
    'a":[',
    '\\":[x',
    'é ’ 漢 🎉',
    '\u202e',
    '\ud800',
    'x\u007fy',
    '[[',
    ',[',
  ),
);

const json = fc.jsonValue({ maxDepth: 3 });

/** An object as JSON has it: also with a key of its own named `__proto__`. */
const freeForm = fc
  .array(fc.tuple(fc.oneof(fc.string(), fc.constantFrom(...hostileKeys)), json), { maxLength: 4 })
  .map((entries) => Object.fromEntries(entries));

const instant = fc
  .date({ min: new Date(0), max: new Date('9999-12-30'), noInvalidDate: true })
  .map((at) => at.toISOString());

const timestamp = fc.oneof(
  { arbitrary: instant, weight: 3 },
  { arbitrary: instant.map((at) => at.replace(/\.\d+Z$/, 'Z')), weight: 1 },
  { arbitrary: instant.map((at) => at.replace('Z', '123+02:00')), weight: 1 },
);

/** Values in wire form that a schema of an answer accepts. */
export function arbitraryOf(schema: unknown): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodNullable) return fc.oneof(fc.constant(null), arbitraryOf(schema.unwrap()));
  if (schema instanceof z.ZodObject) return arbitraryObject(schema);
  if (schema instanceof z.ZodArray)
    return fc.array(arbitraryOf(schema.element), { maxLength: Math.min(3, maxItems(schema)) });
  if (schema instanceof z.ZodRecord) return freeForm;
  if (schema instanceof z.ZodDiscriminatedUnion) return fc.oneof(...schema.options.map(arbitraryOf));
  if (schema instanceof z.ZodCodec) return timestamp;
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumberFormat) return fc.maxSafeInteger();
  if (schema instanceof z.ZodNumber) return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (schema instanceof z.ZodISODate) return instant.map((at) => at.slice(0, 10));
  if (schema instanceof z.ZodString) return arbitraryText(schema);
  throw new Error('no arbitrary for this kind of schema');
}

function arbitraryText(schema: z.ZodString): fc.Arbitrary<unknown> {
  const [check] = schema.def.checks ?? [];
  if (check === undefined) return text;
  const def = check._zod.def;
  if (!('pattern' in def) || !(def.pattern instanceof RegExp)) throw new Error('no arbitrary for this check');
  return fc.stringMatching(def.pattern);
}

/** The bound that a list has itself. */
function maxItems({ def: { checks = [] } }: z.ZodArray): number {
  const bounds = checks.map(({ _zod: { def } }) => ('maximum' in def ? Number(def.maximum) : Number.POSITIVE_INFINITY));
  return Math.min(...bounds);
}

function arbitraryObject({ shape, def: { catchall } }: z.ZodObject): fc.Arbitrary<unknown> {
  const required: string[] = [];
  const fields = Object.entries(shape).map(([name, field]) => {
    const optional = field instanceof z.ZodOptional;
    if (!optional) required.push(name);
    return [name, arbitraryOf(optional ? field.unwrap() : field)] as const;
  });
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: required });
  if (catchall === undefined) return known;
  return fc
    .tuple(known, freeForm)
    .map(([object, others]) => Object.fromEntries([...Object.entries(others), ...Object.entries(object)]));
}

/** What a service may get wrong, or say in another way: a value, an order, a field too many or too few. */
const edit = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('replace', 'remove', 'add', 'hide', 'turn'),
  value: fc.constantFrom<unknown>(null, 7, 1.5, 1e300, 'no', '2026-02-30T00:00:00Z', true, [], {}),
});

type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never;

/** JSON values that a schema accepts, and such with some edits, which it may accept or not. */
export function arbitraryBody(schema: z.ZodObject): fc.Arbitrary<unknown> {
  return fc.tuple(arbitraryOf(schema), fc.array(edit, { maxLength: 3 })).map(([valid, edits]) => {
    const body: unknown = JSON.parse(JSON.stringify(valid));
    for (const each of edits) change(body, each);
    return body;
  });
}

function change(body: unknown, { at, kind, value }: Edit): void {
  const fields = fieldsOf(body);
  const [holder, name] = fields[at % Math.max(1, fields.length)] ?? [{}, ''];
  if (kind === 'replace') set(holder, name, value);
  if (kind === 'remove') delete holder[name];
  if (kind === 'add') set(holder, 'extra', value);
  if (kind === 'hide') set(holder, '__proto__', value);
  if (kind !== 'turn') return;
  const turned = Object.entries(holder).reverse();
  for (const [key] of turned) delete holder[key];
  for (const [key, each] of turned) set(holder, key, each);
}

/** As JSON has it: assigning `__proto__` would change the prototype instead. */
function set(holder: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

type FieldOf = readonly [holder: Record<string, unknown>, name: string];

function fieldsOf(value: unknown): FieldOf[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]): FieldOf[] => [[value, name], ...fieldsOf(inner)]);
}
