import * as z from 'zod';
import { coverage } from './coverage.js';
import { domain } from './risk.js';
import { generated, ownText } from './texts.js';
import { id, timestamp, whole } from './wire.js';

/** Asks for a receipt, in the input of what can answer `not_affected`. */
export const receiptInput = { receipt: z.boolean().optional().describe('sign a not_affected') };

/** The fields of an answer that was asked for a receipt; absent where none was asked for. */
export const receiptFields = {
  receipt: generated(z.string()).register(whole, { isWhole: true }).nullable().optional().describe('a JWS'),
  no_receipt: ownText.optional().describe('why there is none'),
};

/** Media type of a receipt (the header's `typ`). */
export const receiptType = 'postern-receipt+jwt';
export const receiptAlgorithm = 'ES256';

/** Sources of one domain that a receipt names. Its hash is over all. */
export const maxNamedSources = 3;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const source = z.object({
  project_id: id,
  source: z.string().describe('lock file or SBOM, repository, site or image'),
  at: timestamp.describe('when it was last changed or scanned'),
  digest: z.string().describe('of its packages, of the report or of the image; empty where none is known'),
});

const sources = z.object({
  domain,
  count: z.int(),
  sha256,
  oldest: z.array(source).max(maxNamedSources),
});
export type ReceiptSources = z.output<typeof sources>;

const feed = z.object({
  name: z.string(),
  version: z.string().nullable(),
  as_of: timestamp.nullable(),
  sha256,
});

/** A receipt says this, and who signed it and when. */
export const receiptStatement = z.object({
  question: z.object({ procedure: z.string(), input: z.record(z.string(), z.unknown()) }),
  coverage,
  /** The caller sees these alone; null where it sees all projects of the organisation. */
  sees_only: z.object({ projects: z.array(id).nullable(), groups: z.array(id).nullable() }).nullable(),
  /** The advisories behind it. */
  feeds: z.array(feed),
  /** Null where the question is about no project, but about a package. */
  sources: z.array(sources).nullable(),
});
export type ReceiptStatement = z.output<typeof receiptStatement>;

/** The claims of a receipt. `sub` is the organisation, `postern` the version of the program. */
export const receiptClaims = receiptStatement.extend({
  iss: z.string(),
  sub: id,
  jti: id,
  iat: z.int(),
  postern: z.string(),
});
export type ReceiptClaims = z.output<typeof receiptClaims>;

/** A public key (RFC 7517). It has signed from `iat`, and signs nothing after `exp` (seconds). */
const receiptKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.literal(receiptAlgorithm),
  use: z.literal('sig'),
  iat: z.int(),
  exp: z.int(),
});
export const receiptKeySet = z.object({ keys: z.array(receiptKey) });
export type ReceiptKey = z.output<typeof receiptKey>;
