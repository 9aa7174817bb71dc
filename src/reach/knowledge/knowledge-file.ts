import { validRange } from 'semver';
import * as z from 'zod';
import { describeInvalid, fieldErrorsText } from '../../shared/schema/parse-input.js';
import { plainText } from '../../shared/text/plain-text.js';

const header = {
  /** The subject of the file. */
  name: z.string(),
  /** Pages that state the same. */
  source: z.array(z.url({ protocol: /^https$/ })).min(1),
  /** The day on which someone or a generator last compared the rows with the source. */
  checked: z.iso.date(),
};

const described = {
  ...header,
  /** How a row is read, and what is not among them. */
  about: z.string(),
  /** All keys of rows and all texts are regular expressions, or words that have no special character. */
  patterns: z.literal(true).optional(),
  /** The versions that the rows were taken from, where they differ. */
  versions: z.string().optional(),
};

/** Names of code or of settings with their meaning: the packages of a module, the companions of a host. */
export type Rows = Readonly<Record<string, readonly string[]>>;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string' && text !== '');

/** One check a list and not one a text: tables have thousands of rows, and a short analysis reads some of them. */
const namedTexts = z
  .custom<Rows>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'must be an object')
  .superRefine((named, context) => {
    for (const [key, value] of Object.entries(named))
      if (!isTexts(value)) context.addIssue({ code: 'custom', path: [key], message: 'must be a list of texts' });
  });

/** Whether a text is a regular expression, also as a part of a longer one. */
function isPattern(text: string): boolean {
  try {
    new RegExp(`^(?:${text})$`);
    return true;
  } catch {
    return false;
  }
}

const noPattern = 'must have regular expressions';

/** A table that is read as a whole: the key of a row is what code or a setting says, the value is what it means. */
const table = z
  .strictObject({
    ...described,
    rows: namedTexts,
    /** The generator of a table that nobody keeps by hand. */
    generated_by: z.string().optional(),
    inputs: z
      .union([
        z.literal('not recorded'),
        z.array(z.strictObject({ file: z.string(), sha256: z.hash('sha256') })).min(1),
      ])
      .optional(),
  })
  .refine(({ patterns, rows }) => !patterns || Object.entries(rows).flat(2).every(isPattern), {
    path: ['rows'],
    message: noPattern,
  });

/** Lists that are read one by one, by their names. */
const lists = z
  .strictObject({ ...described, lists: namedTexts })
  .refine((file) => !file.patterns || Object.values(file.lists).flat().every(isPattern), {
    path: ['lists'],
    message: noPattern,
  });

const toolUse = z.enum(['development', 'settings', 'scripts', 'modules']);

/** The use of a development tool that its name alone shows; the file itself says what each means. */
export type ToolUse = z.output<typeof toolUse>;

const pattern = z.string().min(1).refine(isPattern, 'must be a regular expression');

/** Development tools by ecosystem, then by a regular expression for the whole name. */
const toolFile = z.strictObject({
  ...described,
  tools: z.record(z.string(), z.record(pattern, z.array(toolUse).min(1))),
});

const patterns = z.array(pattern).default([]);

/** A framework, and the files that it loads because of their path. */
const frameworkFile = z.strictObject({
  ...header,
  /** The framework is there where one of them is declared; none: everywhere. */
  packages: z.array(z.string()),
  loads: z
    .array(
      z.strictObject({
        /** The versions that load these files, by package; left out: all do. */
        versions: z
          .record(
            z.string(),
            z.string().refine((range) => validRange(range) !== null),
          )
          .default({}),
        files: patterns,
        /** They count also where a folder in their path has a name of tests. */
        routes: patterns,
      }),
    )
    .min(1),
  anyCase: z.boolean().default(false),
});

/** A file of a set, of one of the four kinds. */
export type Knowledge =
  | z.output<typeof table>
  | z.output<typeof lists>
  | z.output<typeof toolFile>
  | z.output<typeof frameworkFile>;

/** A set of knowledge, or a file of it, that cannot be used; the message names the file and the field. */
export class KnowledgeError extends Error {
  /** @param message that may repeat a name of the file */
  constructor(message: string) {
    super(plainText(message));
  }
}

/** Parses a file of a set; the field with the rows shows which kind it is. */
export function parseKnowledge(path: string, text: string): Knowledge {
  const value = parseJson(path, text);
  const has = (name: string) => typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  if (has('loads')) return parse(path, value, frameworkFile);
  if (has('tools')) return parse(path, value, toolFile);
  return has('lists') ? parse(path, value, lists) : parse(path, value, table);
}

/** @throws KnowledgeError that names the file and its wrong fields */
export function parse<Schema extends z.ZodObject>(path: string, value: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new KnowledgeError(`${path}: ${fieldErrorsText(describeInvalid(schema, parsed.error))}`);
}

export function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KnowledgeError(`${path}: is no JSON`);
  }
}
