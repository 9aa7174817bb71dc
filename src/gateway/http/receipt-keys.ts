import type { RequestHandler } from 'express';
import { procedures } from '../../procedures/index.js';
import { readCaller } from '../caller.js';
import { CallerLeft, GatewayError } from '../errors.js';
import type { Execute } from '../execute.js';
import { httpErrorOf } from './http-errors.js';
import { leftSignal } from './left-signal.js';

/** Programs look here for the keys of what a server signs. */
export const receiptKeysPath = '/.well-known/jwks.json';

/** How long others may keep the keys, in seconds. */
const keptFor = 60;

/** Answers the public keys of receipts, as the service gives them. */
export function receiptKeys(execute: Execute): RequestHandler {
  return async (req, res) => {
    // Nobody's: the keys are the same for all.
    const caller = { ...readCaller((name) => req.get(name)), credential: null };
    try {
      const call = { ...caller, face: 'trpc', path: 'receipts.getKeys', signal: leftSignal(res) } as const;
      const { wire } = await execute(procedures.receipts.getKeys, {}, call);
      res.set('cache-control', `public, max-age=${keptFor}`).type('application/jwk-set+json').json(wire);
    } catch (error) {
      if (error instanceof CallerLeft) return void res.status(499).end();
      throw error instanceof GatewayError ? httpErrorOf(error, res) : error;
    }
  };
}
