import * as z from 'zod';
import { type TextKind, textKinds } from '../../procedures/texts.js';
import { timestamp } from '../../procedures/wire.js';
import { isRecord } from '../../shared/json/is-record.js';
import type { CleanAnswer } from './untrusted-text.js';

/** Says where in an answer outsiders' texts are. It is made of the answer's schema. */
export interface TextsOf {
  /** `items.title`: an element of a list has its list's path. */
  readonly path: string;
  /** The texts of an object; null where the value itself is outsiders'. */
  readonly fields: ReadonlyMap<string, TextsOf> | null;
  /** The grammar tells what programs may read in the text. */
  readonly kind: Exclude<TextKind, { kind: 'own' }> | null;
}

/** An answer whose texts outside their grammars are in quotes, and the paths of what outsiders wrote in it. */
export interface MarkedAnswer extends CleanAnswer {
  readonly untrusted: readonly string[];
}

/** Null where nothing in answers of the schema is outsiders'. Throws for a kind of schema of which it does not know who writes it. */
export function textsOf(schema: unknown, path = ''): TextsOf | null {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return textsOf(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return textsOf(schema.element, path);
  if (schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown) return { path, fields: null, kind: null };
  if (schema instanceof z.ZodUnion) return schema.options.map((option) => textsOf(option, path)).reduce(either, null);
  if (schema instanceof z.ZodObject) return textsOfObject(schema, path);
  if (schema instanceof z.ZodString) return textsOfString(schema, path);
  if (schema === timestamp || noTexts.some((kind) => schema instanceof kind)) return null;
  if (schema instanceof z.ZodCodec && schema.def.transform === timestamp.def.transform) return null;
  throw new Error(`${path}: nothing says who writes this`);
}

const noTexts = [z.ZodEnum, z.ZodLiteral, z.ZodBoolean, z.ZodNumber, z.ZodISODate];

function textsOfObject({ shape, def: { catchall } }: z.ZodObject, path: string): TextsOf | null {
  if (catchall instanceof z.ZodUnknown) return { path, fields: null, kind: null };
  const fields = new Map<string, TextsOf>();
  for (const [name, field] of Object.entries(shape)) {
    const texts = textsOf(field, path === '' ? name : `${path}.${name}`);
    if (texts !== null) fields.set(name, texts);
  }
  return fields.size === 0 ? null : { path, fields, kind: null };
}

function textsOfString(schema: z.ZodString, path: string): TextsOf | null {
  const kind = textKinds.get(schema) ?? null;
  return kind?.kind === 'own' ? null : { path, fields: null, kind };
}

/** The texts of two schemas of one place: what either gives to outsiders. */
function either(a: TextsOf | null, b: TextsOf | null): TextsOf | null {
  if (a === null || b === null) return a ?? b;
  if (a.fields === null || b.fields === null) return { path: a.path, fields: null, kind: null };
  const fields = new Map(a.fields);
  for (const [name, texts] of b.fields) fields.set(name, either(fields.get(name) ?? null, texts) ?? texts);
  return { path: a.path, fields, kind: null };
}

/** Only what is there is named: a path for each field, whatever the number of rows. */
export function markTexts(answer: CleanAnswer, texts: TextsOf | null): MarkedAnswer {
  if (texts === null) return { ...answer, untrusted: [] };
  const found = new Set<string>();
  const value = markedObject(answer.value, texts, found);
  const json = value === answer.value ? answer.json : JSON.stringify(value);
  return { value, json, untrusted: pathsOf(texts).filter((path) => found.has(path)) };
}

function marked(value: unknown, texts: TextsOf, found: Set<string>): unknown {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return markedList(value, texts, found);
  if (texts.fields !== null) return isRecord(value) ? markedObject(value, texts, found) : value;
  if (typeof value !== 'string') {
    if (!isRecord(value) || Object.keys(value).length > 0) found.add(texts.path);
    return value;
  }
  // A cut can leave nothing but its sign.
  return value === '' || value === '…' ? value : markedText(value, texts, found);
}

function markedText(text: string, { path, kind }: TextsOf, found: Set<string>): string {
  const isFitting = kind === null || kind.fits(text);
  if (kind?.kind !== 'short' || !isFitting) found.add(path);
  return isFitting ? text : JSON.stringify(text);
}

function markedList(values: readonly unknown[], texts: TextsOf, found: Set<string>): readonly unknown[] {
  const changed = values.map((value) => marked(value, texts, found));
  return changed.every((value, at) => value === values[at]) ? values : changed;
}

function markedObject(
  object: Record<string, unknown>,
  { fields }: TextsOf,
  found: Set<string>,
): Record<string, unknown> {
  let changed: Record<string, unknown> | null = null;
  for (const [name, texts] of fields ?? []) {
    const value = object[name];
    const shown = marked(value, texts, found);
    if (shown === value) continue;
    changed ??= { ...object };
    changed[name] = shown;
  }
  return changed ?? object;
}

/** All paths in the schema's order. */
function pathsOf({ path, fields }: TextsOf): string[] {
  return fields === null ? [path] : [...fields.values()].flatMap(pathsOf);
}
