import express, { type Request, type Response, type Router } from 'express';
import * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import type { Caller } from '../caller.js';
import { type Credential, toCredential } from '../credential.js';
import { GatewayError, unauthenticated } from '../errors.js';
import type { Execute } from '../execute.js';
import { leftSignal } from '../left-signal.js';
import { readJson } from '../read-json.js';
import { jsonBody, maxBodyBytes, rejectUnless } from '../request-checks.js';
import type { SameOrigin } from './same-origin.js';
import type { SessionCookie } from './session-cookie.js';

interface Options {
  readonly execute: Execute;
  readonly callerOf: (req: Request, res: Response) => Caller;
  readonly cookie: SessionCookie;
  readonly sameOrigin: SameOrigin;
}

const { create, renew, end } = procedures.session;

/**
 * Signing in, renewal and signing out for pages, whose session is a cookie that no script can read:
 *
 * - `POST /` with `{email, password}` answers `{expires_at}`
 * - `POST /renewal` answers `{expires_at}`; 404 where the service has no renewal; 401 also removes the cookie
 * - `DELETE /` answers `{ended}`, and removes the cookie in any case: `ended` is false where no session was left to end
 *
 * They are the ordinary procedures, with the limits and errors of all calls. The token is in no body.
 */
export function sessionCookieRoutes({ execute, callerOf, cookie, sameOrigin }: Options): Router {
  const router = express.Router();
  router.use(sameOrigin.require);

  function call(req: Request, res: Response, credential: Credential | null, path: string) {
    return { ...callerOf(req, res), credential, face: 'trpc', path, signal: leftSignal(res) } as const;
  }

  /** Null where the request has no cookie, or one that cannot be a credential. */
  function credentialOf(req: Request): Credential | null {
    const token = cookie.read(req);
    return token === null ? null : toCredential(token);
  }

  function keep(req: Request, res: Response, { token, expires_at }: z.output<typeof create.output>): void {
    if (!cookie.fits(token)) {
      throw new GatewayError('upstream_error', 'the service’s token is too long for a cookie: a retry will not help');
    }
    cookie.set(req, res, token, expires_at);
    res.json({ expires_at: expires_at.toISOString() });
  }

  router.post('/', rejectUnless(jsonBody), readJson(maxBodyBytes), async (req, res) => {
    const { wire } = await execute(create, req.body, call(req, res, null, 'session.create'));
    keep(req, res, z.decode(create.output, asToken.parse(wire)));
  });

  router.post('/renewal', async (req, res) => {
    const credential = credentialOf(req);
    try {
      if (credential === null) throw unauthenticated();
      const { wire } = await execute(renew, {}, call(req, res, credential, 'session.renew'));
      keep(req, res, z.decode(renew.output, asToken.parse(wire)));
    } catch (error) {
      if (isUnauthenticated(error)) cookie.clear(req, res);
      throw error;
    }
  });

  router.delete('/', async (req, res) => {
    const credential = credentialOf(req);
    // Whatever the service says: who signs out leaves this browser.
    cookie.clear(req, res);
    const ended = credential !== null && (await endSession(call(req, res, credential, 'session.end')));
    res.json({ ended });
  });

  /** False where the session had ended already. */
  async function endSession(caller: ReturnType<typeof call>): Promise<boolean> {
    try {
      await execute(end, {}, caller);
      return true;
    } catch (error) {
      if (isUnauthenticated(error)) return false;
      throw error;
    }
  }

  return router;
}

/** What `execute` has validated, with the type that it has in wire form. */
const asToken = z.object({ token: z.string(), expires_at: z.string() });

function isUnauthenticated(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'unauthenticated';
}
