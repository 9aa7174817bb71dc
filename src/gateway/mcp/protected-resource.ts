import type { RequestHandler } from 'express';
import { decodeJwt } from 'jose';
import { readCredential } from '../credential.js';
import { HttpError } from '../http-errors.js';

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

/** Answers where tokens for /mcp come from. */
export function resourceMetadata({ issuer, resource }: ProtectedResource): RequestHandler {
  return (_req, res) => {
    res.json({
      resource,
      authorization_servers: [issuer],
      // The service finds the member by the address in the token.
      scopes_supported: ['openid', 'email'],
      bearer_methods_supported: ['header'],
      resource_name: 'Postern',
    });
  };
}

/**
 * Rejects a request without a credential, or with a token of the issuer that has expired, by 401: then clients sign in or renew. The token is not
 * verified here. What passes is decided by the service, as every credential is.
 */
export function requireCredential({ issuer, resource }: ProtectedResource): RequestHandler {
  const metadata = new URL(`${metadataPath}/mcp`, resource).href;
  return ({ headers: { authorization, 'x-service-key': key } }, res, next) => {
    const serviceKey = typeof key === 'string' ? key : undefined;
    const isMissing = readCredential({ authorization, serviceKey }) === null;
    if (!isMissing && !hasExpired(authorization, issuer)) return next();
    const error = isMissing ? '' : 'error="invalid_token", error_description="the token has expired", ';
    res.setHeader('www-authenticate', `Bearer ${error}resource_metadata="${metadata}"`);
    next(new HttpError(401, 'authentication failed: sign in at the authorization server, or send an API key'));
  };
}

function hasExpired(authorization: string | undefined, issuer: string): boolean {
  try {
    const { iss, exp } = decodeJwt(authorization?.replace(/^Bearer +/i, '') ?? '');
    return iss === issuer && exp !== undefined && exp * 1000 < Date.now();
  } catch {
    return false;
  }
}
