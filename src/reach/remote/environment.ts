import * as z from 'zod';
import { describeInvalid } from '../../shared/schema/describe-invalid.js';
import type { Service } from './remote-service.js';

/** Arguments or environment that make no sense; told with the way to the help. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
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

/** The service and the key that the environment names. */
export function serviceFrom(env: NodeJS.ProcessEnv, userAgent: string): Service {
  const { SERVICE_API_URL, SERVICE_API_KEY } = parseUsage(environment, env, {});
  return { url: SERVICE_API_URL, key: SERVICE_API_KEY, userAgent };
}

/** @param names how the fields are called on the command line */
export function parseUsage<S extends z.ZodObject>(
  schema: S,
  value: unknown,
  names: Readonly<Record<string, string>>,
): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = describeInvalid(schema, parsed.error);
  throw new UsageError(errors.map(({ field, message }) => `${names[field] ?? field} ${message}`).join('; '));
}
