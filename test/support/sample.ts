import * as z from 'zod';

/** A value in wire form that a schema accepts; the same in every call. */
export function sampleOf(schema: z.ZodType): unknown {
  return sample(z.toJSONSchema(schema, { io: 'input' }));
}

/** A valid input in wire form with the required fields only. */
export function sampleInputOf(schema: z.ZodObject): Record<string, unknown> {
  const json = z.toJSONSchema(schema, { io: 'input' });
  const required = new Set(json.required);
  if (schema.shape['purl'] !== undefined) return { purl: 'pkg:npm/lodash@4.17.20' };
  return Object.fromEntries(
    Object.entries(json.properties ?? {})
      .filter(([name]) => required.has(name))
      .map(([name, property]) => [name, name === 'packages' ? [] : sample(property)]),
  );
}

function sample(schema: z.core.JSONSchema._JSONSchema): unknown {
  if (typeof schema === 'boolean') return null;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return sample(first);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [name, sample(property)]),
      );
    case 'array':
      return schema.items === undefined || Array.isArray(schema.items) ? [] : [sample(schema.items)];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'string':
      return sampleText(schema);
    default:
      return null;
  }
}

function sampleText({ format, pattern, minLength }: z.core.JSONSchema.JSONSchema): string {
  if (format === 'date-time') return '2026-03-04T05:06:07.000Z';
  if (format === 'date') return '2026-03-04';
  if (format === 'email') return 'ada@example.com';
  if (format === 'uri' || pattern?.startsWith('^https?') === true) return 'https://example.com/';
  if (pattern?.includes('CVE') || pattern?.includes(':_~')) return 'CVE-2021-44228';
  return 'sample_1'.padEnd(minLength ?? 0, '-');
}
