import { codeOfError } from '../../shared/errors/code-of-error.js';

/** What a log may hold of an error. A database error's `detail`, `where` and `parameters` repeat a query's values. */
export function describeFailure(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { name: typeof error };
  const kept = { name: error.name, message: messageOf(error), stack: framesOf(error) };
  const code = codeOfError(error);
  const constraint =
    'constraint' in error && typeof error.constraint === 'string' ? { constraint: error.constraint } : {};
  const cause = error.cause === undefined ? {} : { cause: describeFailure(error.cause) };
  return { ...kept, ...(code !== null && { code }), ...constraint, ...cause };
}

/** PostgreSQL quotes values in messages of class 22 (data exception), `JSON.parse` quotes its text. */
function messageOf(error: Error): string {
  if (error instanceof SyntaxError) return 'a text does not parse';
  return codeOfError(error)?.startsWith('22') ? 'a value does not fit its column' : error.message;
}

/** The stack without its first lines, which repeat the message. */
function framesOf(error: Error): string[] {
  return (error.stack ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '));
}
