import fc from 'fast-check';
import * as z from 'zod';

type JsonSchema = z.core.JSONSchema._JSONSchema;

/** Inputs in wire form that a schema accepts, drawn from its JSON schema and then put through the schema itself. */
export function arbitraryInput(schema: z.ZodObject): fc.Arbitrary<Record<string, unknown>> {
  return fromJsonSchema(z.toJSONSchema(schema, { io: 'input' }))
    .map((drawn) => schema.safeParse(drawn))
    .filter((parsed) => parsed.success)
    .map((parsed) => withoutUndefined(z.encode(schema, parsed.data ?? {})));
}

function fromJsonSchema(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean') return fc.jsonValue();
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(fromJsonSchema));
  switch (schema.type) {
    case 'object':
      return fromObject(schema);
    case 'array':
      return fc.array(
        schema.items === undefined || Array.isArray(schema.items) ? fc.constant(null) : fromJsonSchema(schema.items),
        { maxLength: 3 },
      );
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 100, 100) });
    case 'boolean':
      return fc.boolean();
    case 'string':
      return fromText(schema);
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

function fromObject({ properties = {}, required = [] }: z.core.JSONSchema.JSONSchema): fc.Arbitrary<unknown> {
  const names = Object.keys(properties);
  if (names.length === 0) return fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, fromJsonSchema(property)]),
  );
  const record = fc.record(fields, { requiredKeys: required.filter((name) => names.includes(name)) });
  // A coordinate is a purl alone or the three parts: chance alone would seldom leave the right ones out.
  if (!names.includes('purl')) return record;
  return fc.tuple(record, fc.record(fields), fc.boolean()).map(([rare, whole, byPurl]) => {
    const { purl, ecosystem, name, version, ...rest } = whole;
    const kept = Object.fromEntries(Object.keys(rest).flatMap((key) => (key in rare ? [[key, rest[key]]] : [])));
    return byPurl ? { ...kept, purl } : { ...kept, ecosystem, name, version };
  });
}

function fromText({
  format,
  pattern,
  minLength = 0,
  maxLength = 40,
}: z.core.JSONSchema.JSONSchema): fc.Arbitrary<string> {
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })
      .map((date) => date.toISOString());
  if (format === 'email') return fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.com$/);
  if (format === 'uri') return fc.webUrl({ withQueryParameters: true });
  if (pattern?.includes('Cc')) return fc.stringMatching(/^[A-Za-z0-9@/._ü%?#&=+-]{1,30}$/);
  if (pattern?.startsWith('^pkg')) return fc.stringMatching(/^pkg:[a-z]{2,6}\/[A-Za-z0-9%@._/?&=+-]{1,30}$/);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) });
}

function withoutUndefined(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
