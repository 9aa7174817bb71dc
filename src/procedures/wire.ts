import * as z from 'zod';
import { stripInvisible } from '../shared/text/invisible-characters.js';
import { generated } from './texts.js';

/** An RFC 3339 date-time on the wire, a `Date` in code. */
export const timestamp = z.codec(z.iso.datetime({ offset: true }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

const timeOrDate = z.codec(
  z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'is a date-time such as 2026-11-22T10:00:00Z, or a date such as 2026-11-22 (midnight UTC)',
  }),
  z.date(),
  { decode: (text) => new Date(text), encode: (date) => date.toISOString() },
);

/** The same in inputs, which may also give a date: midnight UTC, when it begins. */
export const timestampInput = timeOrDate.describe('date or RFC 3339 time');

/** The time from which a list or a composite is asked for. Its name says what it is: it is in every one, and words cost each agent. */
export const sinceInput = timeOrDate.optional();

/** An opaque identifier: compare it, do not read it. */
export const id = generated(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'is an id of letters, digits, _ and -'));

/**
 * Characters that show nothing: white space, controls, and those that Unicode lets a reader ignore (zero-width ones, fillers,
 * variation selectors, tags; UAX 44, Default_Ignorable_Code_Point). U+2800 is a Braille cell without dots.
 */
const showsSomething = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cs}\p{Co}\u2800]/u;

const blank = { error: 'must not be blank', abort: true };

const visible = (max: number) =>
  z
    .string()
    .trim()
    .min(1, blank)
    .max(max)
    .refine((text) => showsSomething.test(text), blank);

/** C0 and C1 controls are in no line: a log or a terminal would obey them. */
const oneLine = (max: number) =>
  visible(max).refine((text) => !/\p{Cc}/u.test(text), 'must not contain line breaks or control characters');

/** Text of one line, trimmed, not blank. Unicode's overrides, embeddings and isolates would make it read as another one. */
export const line = (max: number) =>
  oneLine(max).refine(
    (text) => !/[\u202a-\u202e\u2066-\u2069]/.test(text),
    'must not contain characters that turn the reading direction',
  );

/**
 * The name that somebody gives a thing or himself. It shows every character, and mixes no alphabets in a word, so that two names which
 * look alike are one. Programs name files and packages by `line`: theirs are as they are.
 */
export const givenName = (max: number) =>
  oneLine(max)
    .refine((text) => stripInvisible(text) === text, {
      error: ({ input }) => `must not contain characters that show nothing: ${codePoints(hiddenIn(String(input)))}`,
    })
    .refine((text) => !mixedWord.test(text), {
      error: ({ input }) => `must not mix alphabets in a word: ${codePoints(mixedWord.exec(String(input))?.[0] ?? '')}`,
    });

function hiddenIn(text: string): string {
  return [...text].filter((each) => stripInvisible(each) === '').join('');
}

function codePoints(text: string): string {
  const each = [...text]
    .slice(0, 20)
    .map((it) => `U+${(it.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  return each.join(' ');
}

/** A word of Latin letters among which a Cyrillic or Greek one stands, many of which look like them (UTS 39). */
const mixedWord =
  /(?:\p{Script=Latin}\p{M}*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{M}*\p{Script=Latin})/u;

/** Characters of the longest name of a project or a group. */
const maxProjectName = 200;

/**
 * Names a project: by its id, or by its name in any case. What deletes (`destructive`) answers a name with the id and does nothing: a
 * name can pass to another project. A check in place of a pattern and bounds: those would cost every tool some
 * tokens, and tell an agent nothing.
 */
export const projectRef = z
  .string()
  .trim()
  .refine((text) => isSegment(text, maxProjectName), 'is a project’s id or name');

/** The fields that an update empties. Null does not: clients of strict function calling send it for every field that they do not use. */
export function clears<const Field extends string>(...fields: readonly [Field, ...Field[]]) {
  return z.array(z.enum(fields)).optional().describe('fields to empty');
}

/** Names a group of projects: by its id, or by its name in any case. */
export const groupRef = z
  .string()
  .trim()
  .refine((text) => isSegment(text, maxProjectName), 'is a group’s id or name');

/** Some of the values of a list, at least one: a row passes that has any of them. */
export function someOf<Value extends z.ZodEnum>(value: Value) {
  return z.array(value).min(1).max(20);
}

/** What an answer over all projects can be about instead: one of them, or those of a group and of the groups in it. */
export const someProjects = { project_id: projectRef.optional(), group: groupRef.optional() };

/** Names a container image of a project: by its id, or by its ref. */
export const imageRef = z
  .string()
  .trim()
  .refine((text) => isSegment(text, 1024), 'is an image’s id or ref, such as ghcr.io/acme/shop:1.2');

/**
 * Whether a text can be a segment of a path, without controls. `.` and `..` mean another path, also between slashes: they are sent
 * encoded, and a proxy before the service may decode them.
 */
function isSegment(text: string, max: number): boolean {
  const parts = text.split(/[\\/]/);
  return text !== '' && text.length <= max && !parts.some(isDots) && !/[\p{Cc}\p{Cs}]/u.test(text);
}

function isDots(part: string): boolean {
  return part === '.' || part === '..';
}

/** Text that a person wrote: several lines, trimmed, not blank. */
export const prose = (max: number) => visible(max);

/** Rows of one list that pages reach by their number. Cursors reach all. */
export const maxReach = 10_000;

/** Marks (`.meta`) an optional input that programs read from files: agents are not shown it. */
export const forPrograms = { 'x-for-programs': true } as const;

/** A page's number. Agents are shown it where the specification lists it: a cursor is better. */
export const pageNumber = z.int().min(1).default(1);

const pageSize = z.int().min(1).max(100).default(25);

const paging = {
  since: sinceInput.meta(forPrograms),
  cursor: z.string().min(1).max(8_000).optional(),
  cursors: z.boolean().optional().meta(forPrograms),
  page: pageNumber.meta(forPrograms),
  page_size: pageSize.meta(forPrograms),
};

/**
 * A long list whose rows change takes these: it then has the rows alone that are new, or new or changed, since a time. Agents are shown
 * them.
 */
export const changedSince = {
  since: sinceInput,
  changed_since: sinceInput.meta(forPrograms),
  page_size: pageSize,
};

/**
 * A list's input: the given fields, and
 * - `since`: only rows that appeared since that time; `as_of` of an earlier answer is one from which nothing is missed
 * - `page_size`: rows of a page (1-100, default 25)
 * - `cursor`: the page after one whose `next_cursor` it was, with the same filters. Rows that come or go meanwhile shift nothing
 * - `page`: from 1, in place of a cursor
 * - `cursors`: answer also the cursor after each row, for a caller that shows fewer rows
 */
export function pageInput<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...shape, ...paging, ...shape }).refine(withinReach, {
    path: ['page'],
    message: `page times page_size must not exceed ${maxReach}: go on by cursor, or narrow the list with a filter`,
  });
}

function withinReach({ page, page_size }: { readonly page?: unknown; readonly page_size?: unknown }): boolean {
  return Number(page) * Number(page_size) <= maxReach;
}

/** A list's answer: one page of rows, how many there are in all, and the cursor of the next page; null on the last one. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    page: z.int(),
    page_size: z.int(),
    total: z.int(),
    has_more: z.boolean(),
    next_cursor: generated(z.string()).nullable(),
    as_of: timestamp.describe('since it, rows that are not in this list are found'),
    cursors: z.array(generated(z.string())).optional().describe('after each row, where asked for'),
  });
}

/** The project of a row. Only lists over all projects name it: in the others it is the one that was asked for. */
export const ofProject = { project: z.object({ id, name: z.string() }).optional() };

/** What deleting something answers. */
export const deleted = z.object({ id, deleted: z.literal(true) });

/** The revision that the caller last read. With a newer one the update fails with 412 (If-Match, RFC 9110 13.1.1). */
export const expectedRevision = z.int().min(1).optional();

/** Fields of an answer of which half is of no use, such as what is signed: an agent gets them whole. */
export const whole = z.registry<{ readonly isWhole: true }>();

/** Free-form JSON object, stored as it was sent. */
export const jsonObject = z.record(z.string(), z.unknown());
