import * as z from 'zod';
import { describeInvalid } from '../../shared/schema/describe-invalid.js';
import type { RemoteService } from './remote-service.js';

/** Arguments or environment that are not valid; shown with a pointer to the help. */
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

/** The service and the key that the environment sets. */
export function remoteServiceFrom(env: NodeJS.ProcessEnv, userAgent: string): RemoteService {
  const { SERVICE_API_URL, SERVICE_API_KEY } = parseUsage(environment, env, {});
  return { url: SERVICE_API_URL, key: SERVICE_API_KEY, userAgent };
}

/** Parses options; a UsageError names each wrong field as `names` says it is called on the command line. */
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
