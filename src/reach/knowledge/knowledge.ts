import * as z from 'zod';

const title = {
  /** What the file knows. */
  name: z.string(),
  /** How a row is read, and what is not among them. */
  about: z.string(),
};

/** The day on which someone or a generator last compared the rows with the source. */
const checked = z.iso.date();

const header = {
  ...title,
  /** Pages that state the same. */
  source: z.array(z.url()).min(1),
  checked,
  /** The versions that the rows hold for, where they do not hold for all. */
  versions: z.string().optional(),
};

/** Who made a table that nobody keeps by hand, and of which files. */
const generated = {
  generated_by: z.string().optional(),
  inputs: z
    .union([z.literal('not recorded'), z.array(z.strictObject({ file: z.string(), sha256: z.hash('sha256') })).min(1)])
    .optional(),
};

/** What a name of code or of a setting means: a module its packages, a host its companions. */
export type Rows = Readonly<Record<string, readonly string[]>>;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string' && text !== '');

/** One check a list and not one a text: tables have thousands of rows, and a short analysis reads some of them. */
const texts = z.custom<readonly string[]>(isTexts);
const namedTexts = z.custom<Rows>(
  (value) => typeof value === 'object' && value !== null && Object.values(value).every(isTexts),
);

/** A table that is read as a whole: the key of a row is what code or a setting says, the value is what it means. */
const table = z.strictObject({ ...header, ...generated, rows: namedTexts });

/** Lists that are read one by one, by their names. */
const lists = z.strictObject({ ...header, lists: namedTexts });

const toolUse = z.enum(['development', 'settings', 'scripts', 'modules']);

/** What the name of a development tool alone shows; the file itself says what each use means. */
export type ToolUse = z.output<typeof toolUse>;

/** Development tools by ecosystem, then by a regular expression for the whole name. */
const toolFile = z.strictObject({
  ...header,
  tools: z.record(z.string(), z.record(z.string(), z.array(toolUse).min(1))),
});

/** Frameworks, each with the files that it loads because of their path. */
const frameworkFile = z.strictObject({
  ...title,
  frameworks: z.array(
    z.strictObject({
      name: z.string(),
      source: z.url(),
      checked,
      packages: texts,
      files: texts.default([]),
      routes: texts.default([]),
      anyCase: z.boolean().default(false),
    }),
  ),
});

/** A file of the folder `knowledge` at the root. */
export const knowledgeFile = z.union([table, lists, toolFile, frameworkFile]);

/** The rows of a table of the folder `knowledge`. */
export function rowsOf(file: unknown): Rows {
  return table.parse(file).rows;
}

/** The lists of a file of the folder `knowledge`, each by its name. */
export function listsOf<Name extends string>(file: {
  readonly lists: Readonly<Record<Name, readonly string[]>>;
}): (name: Name) => readonly string[] {
  lists.parse(file);
  return (name) => file.lists[name];
}

/** The same lists as sets. */
export function setsOf<Name extends string>(file: {
  readonly lists: Readonly<Record<Name, readonly string[]>>;
}): (name: Name) => ReadonlySet<string> {
  const listOf = listsOf(file);
  return (name) => new Set(listOf(name));
}

/** The development tools of a file of the folder `knowledge`. */
export function toolsOf(file: unknown): z.output<typeof toolFile>['tools'] {
  return toolFile.parse(file).tools;
}

/** The frameworks of a file of the folder `knowledge`. */
export function frameworksOf(file: unknown): z.output<typeof frameworkFile>['frameworks'] {
  return frameworkFile.parse(file).frameworks;
}
