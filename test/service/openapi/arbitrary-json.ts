import fc from 'fast-check';
import * as z from 'zod';

const node = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  enum: z.array(z.json()).optional(),
  const: z.json().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  minItems: z.number().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});

/** JSON values that a JSON schema accepts, as far as the keywords of this API say. */
export function arbitraryJson(schema: unknown): fc.Arbitrary<unknown> {
  const parsed = node.parse(schema);
  if (parsed.const !== undefined) return fc.constant(parsed.const);
  if (parsed.enum !== undefined) return fc.constantFrom(...parsed.enum);
  const options = parsed.anyOf ?? parsed.oneOf;
  if (options !== undefined) return fc.oneof(...options.map(arbitraryJson));
  const { type } = parsed;
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => arbitraryJson({ ...parsed, type: each })));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: parsed.minimum ?? -1e9, max: parsed.maximum ?? 1e9 });
    case 'number':
      return fc.double({ min: parsed.minimum ?? -1e9, max: parsed.maximum ?? 1e9, noNaN: true });
    case 'string':
      return arbitraryText(parsed);
    case 'array':
      return fc.array(arbitraryJson(parsed.items ?? {}), {
        minLength: parsed.minItems ?? 0,
        maxLength: Math.min(3, parsed.maxItems ?? 3),
      });
    case 'object':
      return arbitraryObject(parsed);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function arbitraryObject({ properties = {}, required = [], additionalProperties }: z.output<typeof node>) {
  const fields = Object.entries(properties).map(([name, each]) => [name, arbitraryJson(each)] as const);
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: required });
  if (additionalProperties === false || additionalProperties === undefined) return known;
  const more = fc.dictionary(fc.string({ maxLength: 8 }), arbitraryJson(additionalProperties), { maxKeys: 3 });
  return fc.tuple(more, known).map(([others, object]) => ({ ...others, ...object }));
}

function arbitraryText({ format, pattern, minLength = 0, maxLength = 200 }: z.output<typeof node>) {
  const bounds = { minLength, maxLength: Math.min(maxLength, minLength + 40) };
  switch (format) {
    case 'date-time':
      return fc.date({ noInvalidDate: true, max: new Date('9999-12-30') }).map((at) => at.toISOString().slice(-24));
    case 'date':
      return fc.constantFrom('2026-01-15', '2000-02-29', '0001-01-01');
    case 'email':
      return fc.emailAddress();
    case 'uri':
      return fc.webUrl();
    default:
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.oneof(fc.string(bounds), fc.string({ ...bounds, unit: 'binary' }), fc.lorem({ maxCount: 2 }));
}
