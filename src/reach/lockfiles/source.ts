import { FAILSAFE_SCHEMA, loadAll, YAMLException } from 'js-yaml';
import { parse as parseTomlText, TomlError } from 'smol-toml';
import type * as z from 'zod';
import { findJsonFault } from '../../shared/json/json-fault.js';
import { describeInvalid } from '../../shared/schema/parse-input.js';
import { FileError } from '../file-error.js';

/** The text of a lock file, and access to the manifests in its folder. */
export interface Source {
  /** The path as the user gave it; errors begin with it. */
  readonly file: string;
  readonly text: string;
  /** Reads a file by its path relative to the lock file's folder; null for a missing file and for one outside of the folder. */
  readonly readRelative: (path: string) => Promise<Source | null>;
  /**
   * Folders below the lock file's that have a file of this name, relative to it and sorted, at most so many levels deep. Those of
   * installed packages are not among them.
   */
  readonly foldersWith: (name: string, maxDepth: number) => Promise<readonly string[]>;
}

/** A file does not hold what its name says. The message names the file, the place and what was expected. */
export class LockfileError extends FileError {
  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`);
    this.name = 'LockfileError';
  }
}

/** What a read gives; the other value where a file does not hold what its name says. */
export async function unlessInvalid<Value, Other>(
  read: () => Value | Promise<Value>,
  other: Other,
): Promise<Value | Other> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LockfileError) return other;
    throw error;
  }
}

const conflictMarker = /^<{7} /m;

/** Errors of one file that are reported together; further ones mostly have the same cause. */
const maxErrors = 3;

export function parseJson(source: Source): unknown {
  rejectConflict(source);
  try {
    return JSON.parse(source.text);
  } catch {
    const { line, column, expected } = findJsonFault(source.text);
    throw new LockfileError(source.file, `line ${line}, column ${column}: is not JSON: expected ${expected}`);
  }
}

/**
 * The YAML documents that a source holds. All scalars are text: `1.10` is a version, not a number. Aliases are rejected: a
 * small file can unfold to a huge value with them, and no package manager writes them.
 */
export function parseYaml(source: Source): unknown[] {
  rejectConflict(source);
  try {
    return loadAll(source.text, { schema: FAILSAFE_SCHEMA, maxAliases: 0 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const place =
      error.mark === undefined ? 'the text' : `line ${error.mark.line + 1}, column ${error.mark.column + 1}`;
    throw new LockfileError(source.file, `${place}: is not YAML as a lock file has it: ${error.reason}`);
  }
}

/** Levels of nested tables; lock files and manifests have five. */
const maxTomlDepth = 32;

export function parseToml(source: Source): unknown {
  rejectConflict(source);
  try {
    return parseTomlText(source.text, { maxDepth: maxTomlDepth, integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // After its first line the message quotes the text, which may hold a registry's token.
    const reason = error.message.split('\n', 1)[0]?.replace(/^Invalid TOML document: /, '') ?? '';
    throw new LockfileError(source.file, `line ${error.line}, column ${error.column}: is not TOML: ${reason}`);
  }
}

export function parseShape<S extends z.ZodObject>(source: Source, schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = describeInvalid(schema, parsed.error).slice(0, maxErrors);
  throw new LockfileError(
    source.file,
    errors.map(({ field, message }) => `${field === '' ? 'the file' : field}: ${message}`).join('; '),
  );
}

export function rejectConflict({ file, text }: Source): void {
  if (conflictMarker.test(text))
    throw new LockfileError(file, 'holds an unresolved merge conflict: resolve it, then try again');
}
