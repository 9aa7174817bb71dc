import * as z from 'zod';
import { unwrap } from '../../src/shared/schema/unwrap.js';

/** Whether a caller gives a value of a schema or is answered one. */
export type Side = 'input' | 'output';

/** A comment that editors show; none for no text. */
export function comment(...lines: readonly string[]): string {
  const given = lines.flatMap((line) => line.split('\n')).filter((line) => line !== '');
  // What would end the comment must not.
  const [first, ...others] = given.map((line) => line.replaceAll('*/', '*\\/'));
  if (first === undefined) return '';
  return others.length === 0
    ? `/** ${first} */\n`
    : `/**\n${[first, ...others].map((line) => ` * ${line}\n`).join('')} */\n`;
}

/** What a field's definition says of it, with its bounds and default where a caller gives it. */
export function documented(field: z.core.$ZodType, side: Side): string {
  return comment(capital([descriptionOf(field), side === 'input' ? boundsOf(field) : ''].filter(Boolean).join('; ')));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The outermost description. */
function descriptionOf(schema: z.core.$ZodType): string {
  const { description } = z.globalRegistry.get(schema) ?? {};
  if (description !== undefined) return description;
  const inner = unwrap(schema);
  return inner !== schema && inner instanceof z.ZodType ? descriptionOf(inner) : '';
}

function boundsOf(schema: z.core.$ZodType): string {
  const usual = defaultOf(schema);
  const inner = unwrap(schema);
  const bounds = inner instanceof z.ZodNumber ? rangeOf(inner) : inner instanceof z.ZodArray ? sizeOf(inner) : '';
  return [bounds, usual === undefined ? '' : `default ${JSON.stringify(usual)}`].filter(Boolean).join(', ');
}

function defaultOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodDefault) return schema.def.defaultValue;
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? defaultOf(schema.unwrap()) : undefined;
}

function rangeOf({ minValue, maxValue }: z.ZodNumber): string {
  const [min, max] = [bound(minValue), bound(maxValue)];
  return min !== null && max !== null
    ? `${min} to ${max}`
    : [min === null ? '' : `from ${min}`, max === null ? '' : `to ${max}`].join('');
}

function bound(value: number | null): number | null {
  return value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;
}

function sizeOf({ def }: z.ZodArray): string {
  const checks = (def.checks ?? []).map((check) => check._zod.def);
  return checks
    .flatMap((check) => (check.check === 'max_length' && 'maximum' in check ? [`at most ${check.maximum}`] : []))
    .join('');
}
