import * as z from 'zod';

export type ParsedInput<Schema extends z.ZodObject> =
  | { readonly ok: true; readonly data: z.output<Schema> }
  | { readonly ok: false; readonly errors: readonly InvalidInput[] };

/**
 * Validates the input of a procedure. Null means that a field is absent: clients of strict function calling send every field. Where a
 * value of another type can mean one thing alone, it counts as that: `"5"`, `"true"`, `"red"` for `RED`, one value for a list of one.
 * An input that is valid as it is costs nothing more.
 */
export function parseInput<Schema extends z.ZodObject>(schema: Schema, input: unknown): ParsedInput<Schema> {
  const first = schema.safeParse(input);
  if (first.success) return { ok: true, data: first.data };
  let [meant, { error }]: [unknown, { readonly error: z.ZodError }] = [input, first];
  // A value that became a list of one is looked at in the second step.
  for (let step = 0; step < 2; step += 1) {
    const mended = mend(meant, error.issues);
    if (mended === undefined) break;
    const next = schema.safeParse(mended);
    if (next.success) return { ok: true, data: next.data };
    [meant, error] = [mended, next.error];
  }
  const issues = error.issues.map((issue) => asGiven(input, issue));
  return { ok: false, errors: codeInvalid(schema, new z.ZodError(issues)) };
}

/** An issue at a place that the caller knows: where one value was given for a list, that of the value. */
function asGiven(input: unknown, issue: Issue): Issue {
  const [name, first] = issue.path;
  if (first !== 0 || name === undefined || !isContainer(input)) return issue;
  return isContainer(Reflect.get(input, name)) ? issue : { ...issue, path: [name, ...issue.path.slice(2)] };
}

type Issue = z.core.$ZodIssue;

/** A copy with what was meant at the places of the issues; undefined where that is known for none. */
function mend(input: unknown, issues: readonly Issue[]): unknown {
  const found = issues.flatMap((issue) => {
    const value = valueAt(input, issue.path);
    const meant = value === null ? absent : meantBy(value, issue);
    return meant === undefined ? [] : [{ path: issue.path, meant }];
  });
  if (found.length === 0) return undefined;
  const copy: unknown = structuredClone(input);
  for (const { path, meant } of found) {
    const holder = path.length === 1 ? copy : valueAt(copy, path.slice(0, -1));
    const name = path.at(-1);
    if (!isContainer(holder) || name === undefined) continue;
    if (meant !== absent) Reflect.set(holder, name, meant);
    // A null in a list stays: to leave it out would move the others.
    else if (!Array.isArray(holder)) Reflect.deleteProperty(holder, name);
  }
  return copy;
}

const absent = Symbol('absent');

const booleans = new Map([
  ['true', true],
  ['false', false],
]);

function meantBy(value: unknown, issue: Issue): unknown {
  // Uploads hold what a program wrote, which says what it means.
  if (issue.path.length > 2) return undefined;
  if (issue.code === 'invalid_value') {
    if (typeof value !== 'string') return undefined;
    const values = issue.values.map(String);
    // The case of letters counts in words that mix it, as NotExploitable does.
    const isPlain = (each: string) => [each.toLowerCase(), each.toUpperCase()].includes(each);
    return values.every(isPlain) ? values.find((each) => each.toLowerCase() === value.trim().toLowerCase()) : undefined;
  }
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'array') return value === undefined || isContainer(value) ? undefined : [value];
  if (typeof value !== 'string') return undefined;
  if (issue.expected === 'boolean') return booleans.get(value.trim().toLowerCase());
  const isNumber = ['number', 'int'].includes(issue.expected) && /^-?\d+(\.\d+)?$/.test(value.trim());
  return isNumber ? Number(value) : undefined;
}

type Path = readonly PropertyKey[];

function valueAt(value: unknown, path: Path): unknown {
  if (path.length === 0) return undefined;
  return path.reduce<unknown>((inside, key) => (isContainer(inside) ? Reflect.get(inside, key) : undefined), value);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Errors reported at once. A list of 100,000 bad rows has one cause, not 100,000. */
const maxErrors = 20;

/** The errors of an input, in the same words on every transport. Values of the input are never repeated. */
export function describeInvalid(schema: z.ZodObject, error: z.ZodError): InvalidField[] {
  return codeInvalid(schema, error).map(({ field, message }) => ({ field, message }));
}

/** The same, each with its code. */
function codeInvalid(schema: z.ZodObject, error: z.ZodError): InvalidInput[] {
  return error.issues.slice(0, maxErrors).flatMap((issue) => describeIssue(schema, issue));
}

const codes: Partial<Record<z.core.$ZodIssue['code'], InvalidCode>> = {
  invalid_type: 'wrong_type',
  invalid_format: 'wrong_format',
  invalid_value: 'not_one_of',
  too_small: 'too_small',
  too_big: 'too_large',
};

function describeIssue(schema: z.ZodObject, issue: z.core.$ZodIssue): InvalidInput[] {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const valid = issue.path.length === 0 ? Object.keys(schema.shape) : [];
    const advice = valid.length > 0 ? `; it takes ${valid.join(', ')}` : '';
    return issue.keys.map((key) => ({
      field: [...issue.path.map(String), key].join('.').slice(0, 200),
      message: `is not known${advice}`,
      code: 'not_known',
    }));
  }
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
    return [{ field, message: `is required (${issue.expected})`, code: 'required' }];
  }
  return [{ field, message: issue.message.replace(/^Invalid \w+: /, ''), code: codes[issue.code] ?? 'invalid' }];
}

/** The errors as one line of text: `page: is required (number); cve: is a CVE id such as CVE-2021-44228`. */
export function fieldErrorsText(errors: readonly InvalidField[]): string {
  return errors.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join('; ');
}

/** One error in an input: where, as `packages.3.version` (`` for the whole), and what would be right. */
export interface InvalidField {
  readonly field: string;
  readonly message: string;
}

/** The code of a field's fault, for callers with words of their own. */
export type InvalidCode =
  | 'required'
  | 'not_known'
  | 'wrong_type'
  | 'wrong_format'
  | 'not_one_of'
  | 'too_small'
  | 'too_large'
  | 'invalid';

interface InvalidInput extends InvalidField {
  readonly code: InvalidCode;
}
