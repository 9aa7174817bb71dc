import { FAILSAFE_SCHEMA, loadAll, YAMLException } from 'js-yaml';
import { parse as parseTomlText, TomlError } from 'smol-toml';
import type * as z from 'zod';
import { findJsonFault } from '../../shared/json/json-fault.js';
import { describeInvalid } from '../../shared/schema/describe-invalid.js';

/** The text of a lock file, and a way to the manifests it belongs to. */
export interface Source {
  /** As the user named it: errors begin with it. */
  readonly file: string;
  readonly text: string;
  /** Reads a file by its path relative to the lock file's folder; null where there is none, or it lies outside. */
  readonly beside: (path: string) => Promise<Source | null>;
}

/** A file that cannot be read as what its name says; the message names the file, the place and what was expected. */
export class LockfileError extends Error {
  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`);
    this.name = 'LockfileError';
  }
}

const conflictMarker = /^<{7} /m;

/** Errors of one file told of at once: more have the same cause. */
const maxErrors = 3;

/** The JSON value that a source holds. */
export function parseJson(source: Source): unknown {
  refuseConflict(source);
  try {
    return JSON.parse(source.text);
  } catch {
    const { line, column, expected } = findJsonFault(source.text);
    throw new LockfileError(source.file, `line ${line}, column ${column}: is not JSON: expected ${expected}`);
  }
}

/**
 * The YAML documents that a source holds. All scalars are text: `1.10` is a version, not a number. Aliases, with which a
 * small file can unfold to a huge value, are refused: no package manager writes them.
 */
export function parseYaml(source: Source): unknown[] {
  refuseConflict(source);
  try {
    return loadAll(source.text, { schema: FAILSAFE_SCHEMA, maxAliases: 0 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const place =
      error.mark === undefined ? 'the text' : `line ${error.mark.line + 1}, column ${error.mark.column + 1}`;
    throw new LockfileError(source.file, `${place}: is not YAML as a lock file has it: ${error.reason}`);
  }
}

/** Levels of tables within tables; lock files and manifests have five. */
const deepestToml = 32;

/** The TOML document that a source holds. */
export function parseToml(source: Source): unknown {
  refuseConflict(source);
  try {
    return parseTomlText(source.text, { maxDepth: deepestToml, integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // Behind the first line it quotes the text, which may hold a registry's token.
    const reason = error.message.split('\n', 1)[0]?.replace(/^Invalid TOML document: /, '') ?? '';
    throw new LockfileError(source.file, `line ${error.line}, column ${error.column}: is not TOML: ${reason}`);
  }
}

/** The value, when it has the schema's shape. */
export function parseShape<S extends z.ZodObject>(source: Source, schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = describeInvalid(schema, parsed.error).slice(0, maxErrors);
  throw new LockfileError(
    source.file,
    errors.map(({ field, message }) => `${field === '' ? 'the file' : field}: ${message}`).join('; '),
  );
}

export function refuseConflict({ file, text }: Source): void {
  if (conflictMarker.test(text))
    throw new LockfileError(file, 'holds an unresolved merge conflict: resolve it, then try again');
}
