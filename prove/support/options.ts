import { parseArgs } from 'node:util';
import * as z from 'zod';

const given = z
  .object({
    url: z.url({ protocol: /^https?$/, error: '--url takes http(s)://host[:port]' }).optional(),
    key: z.string({ error: '--key takes an API key' }).regex(/^\S+$/, '--key takes an API key').optional(),
    json: z.string().optional(),
    only: z.string().optional(),
    short: z.boolean().default(false),
    help: z.boolean().default(false),
  })
  .refine(({ url, key }) => (url === undefined) === (key === undefined), '--url and --key go together');

export type Options = z.output<typeof given>;

export class OptionError extends Error {}

/** @throws OptionError that says which option is wrong and what it takes. */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { url: text, key: text, json: text, only: text, short: flag, help: flag };
  let values: unknown;
  try {
    values = parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : 'the options cannot be read');
  }
  const parsed = given.safeParse(values);
  if (!parsed.success) throw new OptionError(parsed.error.issues.map(({ message }) => message).join('; '));
  return parsed.data;
}
