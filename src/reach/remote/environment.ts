import * as z from 'zod';
import { describeInvalid } from '../../shared/schema/parse-input.js';
import type { RemoteService } from './remote-service.js';

/** Arguments or environment that are not valid; shown with a pointer to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An empty variable counts as unset. */
const unsetIfEmpty = (value: unknown) => (value === '' ? undefined : value);

const environment = z.object({
  SERVICE_API_URL: z.preprocess(
    unsetIfEmpty,
    z
      .url({ protocol: /^https?$/, error: 'must be an http or https address, as https://postern.example.org' })
      .refine((url) => !/[?#@]/.test(url), 'must have no user, query or fragment')
      .default('http://127.0.0.1:3000')
      .transform((url) => url.replace(/\/+$/, '')),
  ),
  SERVICE_API_KEY: z.preprocess(
    unsetIfEmpty,
    z
      .string('is not set: set it to a ReadWrite API key')
      .regex(/^[\x21-\x7e]+$/, 'has a character that no API key has'),
  ),
});

/** The service and the key that the environment sets. */
export function remoteServiceFrom(
  env: NodeJS.ProcessEnv,
  userAgent: string,
  progress?: RemoteService['progress'],
): RemoteService {
  const { SERVICE_API_URL, SERVICE_API_KEY } = parseUsage(environment, env);
  return { url: SERVICE_API_URL, key: SERVICE_API_KEY, userAgent, progress };
}

/** The option that commander gives as a field: `--fail-on` for `failOn`. Other names, as of variables, stay. */
export function optionName(field: string): string {
  if (!/^[a-z][A-Za-z]*$/.test(field)) return field;
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Parses options. A UsageError names each wrong field as it is called on the command line.
 *
 * @param names of the arguments, which are no options
 */
export function parseUsage<S extends z.ZodObject>(
  schema: S,
  value: unknown,
  names: Readonly<Record<string, string>> = {},
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = describeInvalid(schema, parsed.error);
  throw new UsageError(
    errors.map(({ field, message }) => `${names[field] ?? optionName(field)} ${message}`).join('; '),
  );
}
