import type { RequestHandler, Response } from 'express';
import * as z from 'zod';
import { reasons } from '../../procedures/problem.js';
import { fieldsInto, readCaller, readCredential } from '../caller.js';
import { CallerLeft, GatewayError } from '../errors.js';
import { HttpError, httpErrorOf } from '../http/http-errors.js';
import { leftSignal } from '../http/left-signal.js';
import { type AskWhoCalls, knownCaller, noteCaller, readsAlone } from './known-caller.js';
import { type Toolsets, toolsetsOfAnyScope } from './toolsets.js';

/** What an OAuth client needs to know of /mcp (RFC 9728). */
export interface ProtectedResource {
  /** The authorization server, as in its tokens' `iss`. */
  readonly issuer: string;
  /** The address of /mcp, as clients know it. */
  readonly resource: string;
}

const metadataPath = '/.well-known/oauth-protected-resource';

/** The place for a server with one resource, and that of the resource /mcp (RFC 9728, 3.1). */
export const metadataPaths = [metadataPath, `${metadataPath}/mcp`];

/**
 * What a client asks for to begin with. The service knows a person by the subject, and the first time by the address that the issuer has
 * verified: issuers put one into a token where `email` is asked for.
 */
const readScopes = ['openid', 'email', 'postern:read'];
const writeScopes = [...readScopes, 'postern:write'];

/** Answers where tokens for /mcp come from. */
export function resourceMetadata({ issuer, resource }: ProtectedResource): RequestHandler {
  return (_req, res) => {
    res.json({
      resource,
      authorization_servers: [issuer],
      scopes_supported: writeScopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Postern',
    });
  };
}

/** Asks clients to sign in, to renew a token, or to get one of more scope (RFC 6750, 3; RFC 9728, 5.1). */
function challenge(
  res: Response,
  { resource }: ProtectedResource,
  { scopes, ...fault }: { scopes: readonly string[]; error?: string; error_description?: string },
): void {
  const params = {
    ...fault,
    scope: scopes.join(' '),
    resource_metadata: new URL(`${metadataPath}/mcp`, resource).href,
  };
  const text = Object.entries(params).map(([name, value]) => `${name}="${value}"`);
  res.setHeader('www-authenticate', `Bearer ${text.join(', ')}`);
}

/** In ASCII, as a header needs. */
const badToken = 'the token has expired, is of another issuer or for another resource, or belongs to nobody here';

/**
 * Rejects a request without a credential, and one whose token the service does not take (401): then clients sign in or renew it. The
 * service decides, as of every credential. What it says of the token's holder is kept with the request. An API key is not asked about: a
 * bad one is the fault of a tool, as the specification says.
 */
export function requireGoodToken(oauth: ProtectedResource, askWhoCalls: AskWhoCalls): RequestHandler {
  return async (req, res, next) => {
    const { authorization } = req.headers;
    const credential = readCredential({ authorization, serviceKey: req.get('x-service-key') });
    if (credential === null) {
      challenge(res, oauth, { scopes: readScopes });
      throw new HttpError(401, 'authentication failed: sign in at the authorization server, or send an API key');
    }
    if (credential.isApiKey()) return next();
    const caller = readCaller((name) => req.get(name), fieldsInto(res));
    try {
      noteCaller(req, await askWhoCalls(caller, leftSignal(res)));
    } catch (error) {
      if (error instanceof CallerLeft) return void res.status(499).end();
      if (!(error instanceof GatewayError)) throw error;
      if (error.code !== 'unauthenticated') throw httpErrorOf(error, res);
      challenge(res, oauth, { error: 'invalid_token', error_description: badToken, scopes: readScopes });
      throw new HttpError(401, `${error.message}: ${badToken}`);
    }
    next();
  };
}

const toolCall = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) });

/** Rejects the call of a tool that writes by a token that may only read (403): then clients ask for the scope. */
export function requireScope(oauth: ProtectedResource, toolsets: Toolsets): RequestHandler {
  return (req, res, next) => {
    if (!readsAlone(knownCaller(req))) return next();
    const { byName } = toolsetsOfAnyScope(toolsets, req);
    const messages: readonly unknown[] = Array.isArray(req.body) ? req.body : [req.body];
    const writes = messages.some((message) => {
      const { data } = toolCall.safeParse(message);
      const entry = data && byName.get(data.params.name);
      return entry !== undefined && entry.procedure.access !== 'read';
    });
    if (!writes) return next();
    const error_description = reasons.insufficient_scope;
    challenge(res, oauth, { error: 'insufficient_scope', error_description, scopes: writeScopes });
    throw new HttpError(403, error_description);
  };
}
