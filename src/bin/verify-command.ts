import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Command, type CommanderError } from 'commander';
import * as z from 'zod';
import { type ReceiptKey, receiptKeySet } from '../procedures/signed-receipt.js';
import { boundedFetch } from '../shared/http/bounded-fetch.js';
import { isSecureUrl } from '../shared/http/secure-url.js';
import { BadReceipt, checkReceipt } from './verify/check-receipt.js';
import { receiptText } from './verify/receipt-text.js';

/** Exit codes: the receipt proves nothing; it could not be checked. */
const bad = 1;
const unchecked = 2;

const keysPath = '/.well-known/jwks.json';
const bounds = { timeoutMs: 10_000, maxBytes: 256 * 1024 };

/** Longer than any receipt. */
const maxLength = 100_000;

interface Options {
  readonly jwks?: string;
  readonly issuer?: string;
}

/** `postern verify FILE|-`. @param ownAddress of the server whose settings are here */
export function verifyCommand(ownAddress: () => string): Command {
  return new Command('verify')
    .description(
      'verify a signed receipt, and say what it attests; exit code 1 where it is bad, 2 where it cannot be checked',
    )
    .argument('<file>', 'of the receipt; - for the standard input')
    .option(
      '--jwks <url or file>',
      `keys to trust (default: ${keysPath} of PUBLIC_URL, or of the server on this machine)`,
    )
    .option('--issuer <url>', 'who must have signed it (default: the server that the keys come from)')
    .exitOverride(exitUnchecked)
    .action(async (file: string, options: Options) => {
      try {
        const jws = await readReceipt(file);
        const { keys, issuer } = await readKeys(options.jwks ?? new URL(keysPath, ownAddress()).href);
        const now = new Date();
        const { claims, key } = await checkReceipt(jws, { keys, issuer: options.issuer ?? issuer, now });
        process.stdout.write(receiptText(claims, key));
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        process.stderr.write(`postern verify: ${error.message}\n`);
        process.exitCode = error instanceof BadReceipt ? bad : unchecked;
      }
    });
}

/** Commander has printed the error or the help already. */
function exitUnchecked({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : unchecked);
}

async function readReceipt(file: string): Promise<string> {
  const read = file === '-' ? text(process.stdin) : readFile(file, 'utf8');
  const jws = (
    await read.catch(() => Promise.reject(new Error(`${file} cannot be read: name the file of a receipt`)))
  ).trim();
  if (jws === '') throw new Error(`${file} is empty: it should be a receipt`);
  if (jws.startsWith('{')) throw new Error(`${file} is JSON: give the text of its field receipt alone`);
  if (jws.length > maxLength) throw new Error(`${file} has more than ${maxLength} characters: it is no receipt`);
  return jws;
}

/** The keys at an address or in a file, and the server whose address it is. */
async function readKeys(from: string): Promise<{ readonly keys: ReceiptKey[]; readonly issuer: string | null }> {
  const isAddress = /^https?:\/\//i.test(from);
  if (isAddress && !isSecureUrl(from))
    throw new Error(`--jwks: ${from} takes https without user and query; http is for this machine alone`);
  const json: unknown = await (isAddress ? fetchKeys(from) : readFile(from, 'utf8').then(JSON.parse)).catch(() =>
    Promise.reject(new Error(`--jwks: ${from} cannot be read: it should be the JSON Web Key Set of a Postern`)),
  );
  const set = z.object({ keys: z.array(z.unknown()) }).safeParse(json);
  const keys = (set.data?.keys ?? []).flatMap((each) => receiptKeySet.shape.keys.element.safeParse(each).data ?? []);
  if (keys.length === 0) throw new Error(`--jwks: ${from} has no key of receipts`);
  return { keys, issuer: isAddress && from.endsWith(keysPath) ? from.slice(0, -keysPath.length) : null };
}

async function fetchKeys(address: string): Promise<unknown> {
  const response = await boundedFetch(address, bounds);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}
