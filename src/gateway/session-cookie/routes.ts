import express, { type Request, type Response, type Router } from 'express';
import * as z from 'zod';
import { procedures } from '../../procedures/index.js';
import { type Caller, type Credential, toCredential } from '../caller.js';
import { GatewayError, unauthenticated } from '../errors.js';
import type { Execute } from '../execute.js';
import { leftSignal } from '../http/left-signal.js';
import { jsonBody, maxBodyBytes, readJson, rejectUnless } from '../http/request-checks.js';
import type { SameOrigin } from './same-origin.js';
import type { SessionCookie } from './session-cookie.js';

interface Options {
  readonly execute: Execute;
  readonly callerOf: (req: Request, res: Response) => Caller;
  readonly cookie: SessionCookie;
  readonly sameOrigin: SameOrigin;
}

const { create, renew, end, finishSignIn, chooseOrganisation, switchOrganisation } = procedures.session;

/**
 * Signing in, renewal and signing out for pages, whose session is a cookie that no script can read:
 *
 * - `POST /` with `{email, password}` answers `{expires_at}`
 * - `POST /sign-in` with `{flow, callback}` of a sign-in at an issuer answers `{expires_at}`, or a `{choice}` between organisations
 * - `POST /sign-in/organisation` with `{proof, organisation}` of that choice answers `{expires_at}`
 * - `POST /switch` with `{organisation}` answers `{expires_at}`
 * - `POST /renewal` answers `{expires_at}`; 404 where the service has no renewal; 401 also removes the cookie
 * - `DELETE /` answers `{ended, logout_url}`, and removes the cookie in any case: `ended` is false where no session was left to end;
 *   at `logout_url`, if any, the browser signs out of the issuer too
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

  router.post('/sign-in', rejectUnless(jsonBody), readJson(maxBodyBytes), async (req, res) => {
    const { wire } = await execute(finishSignIn, req.body, call(req, res, null, 'session.finishSignIn'));
    const { session, choice } = z.decode(finishSignIn.output, asFinished.parse(wire));
    if (session === null) res.json({ choice });
    else keep(req, res, session);
  });

  router.post('/sign-in/organisation', rejectUnless(jsonBody), readJson(maxBodyBytes), async (req, res) => {
    const { wire } = await execute(chooseOrganisation, req.body, call(req, res, null, 'session.chooseOrganisation'));
    keep(req, res, z.decode(chooseOrganisation.output, asToken.parse(wire)));
  });

  router.post('/switch', rejectUnless(jsonBody), readJson(maxBodyBytes), async (req, res) => {
    const credential = credentialOf(req);
    if (credential === null) throw unauthenticated();
    const { wire } = await execute(
      switchOrganisation,
      req.body,
      call(req, res, credential, 'session.switchOrganisation'),
    );
    keep(req, res, z.decode(switchOrganisation.output, asToken.parse(wire)));
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
    res.json(credential === null ? notEnded : await endSession(call(req, res, credential, 'session.end')));
  });

  async function endSession(caller: ReturnType<typeof call>) {
    try {
      const { wire } = await execute(end, {}, caller);
      return asEnded.parse(wire);
    } catch (error) {
      if (isUnauthenticated(error)) return notEnded;
      throw error;
    }
  }

  return router;
}

/** What `execute` has validated, with the type that it has in wire form. */
const asToken = z.object({ token: z.string(), expires_at: z.string() });
const asEnded = z.object({ ended: z.literal(true), logout_url: z.string().nullable() });
const asFinished = z.object({
  session: asToken.nullable(),
  choice: z
    .object({ organisations: z.array(z.object({ id: z.string(), name: z.string() })), proof: z.string() })
    .nullable(),
});

/** The session had ended already, or there was none. */
const notEnded = { ended: false, logout_url: null };

function isUnauthenticated(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'unauthenticated';
}
