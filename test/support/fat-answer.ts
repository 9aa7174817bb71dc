import * as z from 'zod';
import type { Procedure } from '../../src/procedures/define.js';
import { unwrap } from '../../src/shared/schema/unwrap.js';
import type { Seen } from './upstream.js';

/** Rows of every list of a service with fat answers. */
export const fatTotal = 120;

/** Elements of each inner list. */
const inner = 3;

/**
 * What a service answers that holds 120 rows, with the same text in every field that has room for it. Rows have ids of their
 * own: their number.
 */
export function fatAnswer({ output }: Procedure, { url }: Pick<Seen, 'url'>, text: string): unknown {
  const answer = fat(output, text);
  if (!('has_more' in output.shape) || !isObject(answer)) return answer;
  const asked = new URL(url, 'http://service').searchParams;
  const page = Number(asked.get('page') ?? 1);
  const page_size = Number(asked.get('page_size') ?? 25);
  const cursor = asked.get('cursor');
  const offset = cursor === null ? (page - 1) * page_size : Number(cursor);
  const [row] = z.array(z.unknown()).parse(answer['items']);
  const items = Array.from({ length: Math.max(Math.min(page_size, fatTotal - offset), 0) }, (_, nth) =>
    isObject(row) ? { ...row, ...('id' in row && { id: `row_${offset + nth}`.padEnd(24, '7') }) } : row,
  );
  const has_more = offset + page_size < fatTotal;
  const cursors = items.map((_, nth) => String(offset + nth + 1));
  const next_cursor = has_more ? cursors.at(-1) : null;
  const paged = { ...answer, items, page, page_size, total: fatTotal, has_more, next_cursor };
  return asked.get('cursors') === 'true' ? { ...paged, cursors } : paged;
}

function fat(given: unknown, text: string): unknown {
  const schema = unwrap(given);
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, fat(field, text)]));
  if (schema instanceof z.ZodArray) {
    const most = (schema.def.checks ?? []).map(({ _zod: { def } }) => ('maximum' in def ? Number(def.maximum) : inner));
    return Array.from({ length: Math.min(inner, ...most) }, () => fat(schema.element, text));
  }
  if (schema instanceof z.ZodDiscriminatedUnion) return fat(schema.options.at(-1), text);
  if (schema instanceof z.ZodRecord)
    return Object.fromEntries([1, 2, 3].map((nth) => [`key_${nth}`, [text, { text }]]));
  if (schema instanceof z.ZodCodec) return '2026-03-04T05:06:07.000Z';
  if (schema instanceof z.ZodEnum) return schema.options.at(-1);
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodNumber) return 987_654;
  if (schema instanceof z.ZodISODate) return '2026-03-04';
  if (schema instanceof z.ZodString) return schema.safeParse(text).success ? text : 'x7'.repeat(12);
  return null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
