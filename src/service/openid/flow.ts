import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import * as z from 'zod';
import { type Reason, reasons } from '../../procedures/problem.js';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { IssuerUnreachable } from '../auth/issuer-keys.js';
import { ApiError, invalidField } from '../http/api-error.js';
import type { Client } from './clients.js';
import type { OpenId } from './openid.js';
import { type Person, personOf } from './person.js';

/** From leaving for the issuer's page to coming back from it. */
const flowSeconds = 600;

const flow = z.object({
  /** Id of the client, and what it was: a binding that was changed meanwhile is another one. */
  client: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  redirect_uri: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** SHA-256 of an invite's token, in hex. */
  invite: z.string().nullable(),
});

interface Began {
  readonly url: string;
  readonly state: string;
  readonly flow: string;
}

/** The page of an issuer to sign in at, and what takes the answer. */
export async function beginFlow(openId: OpenId, client: Client, invite: Buffer | null): Promise<Began> {
  const redirect_uri = openId.redirectUri();
  const config = await configurationOf(openId, client);
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
  const url = buildAuthorizationUrl(config, {
    ...{ redirect_uri, scope: scopeOf(config, client), state, nonce },
    ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
  });
  const { id, issuer, clientId: client_id } = client;
  const kept: z.input<typeof flow> = {
    ...{ client: id, issuer, client_id, redirect_uri, state, nonce, verifier },
    invite: invite?.toString('hex') ?? null,
  };
  return { url: url.href, state, flow: await openId.seals.seal('flow', kept, flowSeconds) };
}

/** Groups are a scope of their own at some issuers. */
function scopeOf(config: Configuration, { wantsGroups }: Client): string {
  const { scopes_supported: supported = [] } = config.serverMetadata();
  const groups = wantsGroups && supported.includes('groups') ? ['groups'] : [];
  return ['openid', 'email', 'profile', ...groups].join(' ');
}

/** The person who comes back from an issuer's page, and the invite with which that was begun. */
interface Returned {
  readonly person: Person;
  readonly invite: Buffer | null;
}

/**
 * Whom the issuer names for what it has sent the browser back with. Throws `ApiError`: the flow has expired or is none of ours, the
 * answer is of another flow or issuer, its code is not good (any more), or the issuer cannot be reached.
 */
export async function finishFlow(openId: OpenId, sealed: string, callback: string): Promise<Returned> {
  const opened = await openId.seals.open('flow', flow, sealed);
  const client = opened && (await openId.clientWith(opened.client));
  if (opened === undefined || client?.issuer !== opened.issuer || client.clientId !== opened.client_id)
    throw invalidField('flow', 'sign_in_expired');
  const config = await configurationOf(openId, client);
  const url = new URL(opened.redirect_uri);
  url.search = new URLSearchParams(callback).toString();
  const { state: expectedState, nonce: expectedNonce, verifier: pkceCodeVerifier } = opened;
  try {
    const tokens = await authorizationCodeGrant(config, url, { expectedState, expectedNonce, pkceCodeVerifier });
    const idToken = tokens.claims();
    if (idToken === undefined) throw new Error('there is no ID token');
    // Some issuers keep addresses and groups out of ID tokens.
    const isWhole = 'email' in idToken && !client.wantsGroups;
    const hasMore = !isWhole && config.serverMetadata().userinfo_endpoint !== undefined;
    const more = hasMore ? await fetchUserInfo(config, tokens.access_token, idToken.sub) : {};
    return {
      person: personOf(client, idToken, more),
      invite: opened.invite === null ? null : Buffer.from(opened.invite, 'hex'),
    };
  } catch (error) {
    throw failed(openId, client, error);
  }
}

async function configurationOf({ clients }: OpenId, client: Client): Promise<Configuration> {
  const { config } = await clients.of(client).catch((error: unknown) => {
    throw error instanceof IssuerUnreachable ? unreachable() : error;
  });
  return config;
}

function failed({ logger }: OpenId, { id }: Client, error: unknown): ApiError {
  if (isUnreachable(error)) return unreachable();
  if (error instanceof AuthorizationResponseError) return refused('sign_in_denied');
  // Never more of it: an error of the library holds what was sent.
  const said = error instanceof ResponseBodyError && /^[a-z_]{1,40}$/.test(error.error) ? error.error : undefined;
  logger.warn({ issuer: id, said, failure: codeOfError(error) }, 'a sign-in by an issuer failed');
  return invalidField('callback', 'sign_in_failed');
}

/** Also where the library has wrapped what its `fetch` threw. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof IssuerUnreachable) return true;
  return error instanceof Error && error.cause instanceof IssuerUnreachable;
}

function unreachable(): ApiError {
  const reason = 'issuer_unreachable';
  return new ApiError('unavailable', { reason, detail: reasons[reason], retryAfterSeconds: 5 });
}

/** A sign-in that gives no session. */
export function refused(reason: Reason): ApiError {
  return new ApiError('unauthenticated', { reason, detail: reasons[reason] });
}
