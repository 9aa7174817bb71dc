import { codeOfError } from '../../shared/errors/code-of-error.js';

/** Why there was no answer, by a code such as ECONNREFUSED, never a message: it may repeat the address. */
export function noConnection(error: unknown): string {
  const code = codeOfError(error) ?? 'unknown reason';
  return `no connection (${/^[A-Z0-9_]{1,64}$/.test(code) ? code : 'unknown reason'})`;
}
