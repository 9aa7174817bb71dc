import * as z from 'zod';

const header = {
  /** What the file knows. */
  name: z.string(),
  /** How a row is read, and what is not among them. */
  about: z.string(),
  /** Pages that state the same. */
  source: z.array(z.url()).min(1),
  /** The day on which someone or a generator last compared the rows with the source. */
  checked: z.iso.date(),
};

/** Who made a table that nobody keeps by hand, and of which files. */
const generated = {
  generated_by: z.string().optional(),
  inputs: z
    .union([z.literal('not recorded'), z.array(z.strictObject({ file: z.string(), sha256: z.hash('sha256') })).min(1)])
    .optional(),
};

const texts = z.array(z.string().min(1));

/** A table that is read as a whole: the key of a row is what code or a setting says, the value is what it means. */
const table = z.strictObject({ ...header, ...generated, rows: z.record(z.string(), texts) });

/** Lists that are read one by one, by their names. */
const lists = z.strictObject({ ...header, lists: z.record(z.string(), texts) });

const toolUse = z.enum(['development', 'settings', 'scripts', 'modules']);

/** What the name of a development tool alone shows; the file itself says what each use means. */
export type ToolUse = z.output<typeof toolUse>;

/** Development tools by ecosystem, then by a regular expression for the whole name. */
const toolFile = z.strictObject({
  ...header,
  tools: z.record(z.string(), z.record(z.string(), z.array(toolUse).min(1))),
});

/** A file of the folder `knowledge` at the root. */
export const knowledgeFile = z.union([table, lists, toolFile]);

/** What a name of code or of a setting means: a module its packages, a host its companions. */
export type Rows = Readonly<Record<string, readonly string[]>>;

/** The rows of a table of the folder `knowledge`. */
export function rowsOf(file: unknown): Rows {
  return table.parse(file).rows;
}

/** The development tools of a file of the folder `knowledge`. */
export function toolsOf(file: unknown): z.output<typeof toolFile>['tools'] {
  return toolFile.parse(file).tools;
}
