import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express, { type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import { fieldsInto, readCaller } from '../caller.js';
import type { Execute } from '../execute.js';
import { checkOrigin, crossOrigin, type Origins } from '../http/cross-origin.js';
import { giveAddress, jsonBody, maxBodyBytes, maxCalls, rejectUnless } from '../http/request-checks.js';
import { cookieCredential } from '../session-cookie/cookie-credential.js';
import { sessionCookieRoutes } from '../session-cookie/routes.js';
import { SameOrigin } from '../session-cookie/same-origin.js';
import { SessionCookie } from '../session-cookie/session-cookie.js';
import { documentRoutes } from '../transfers/document-routes.js';
import type { TransferOptions } from '../transfers/transfer.js';
import { uploadRoutes } from '../transfers/upload-routes.js';
import { trpcErrors } from './errors.js';
import { createTrpcShortWay } from './short-way.js';
import { createTrpcRouter, retryAfterOf } from './trpc.js';

interface Options {
  readonly execute: Execute;
  readonly transfers: TransferOptions;
  readonly logger: Logger;
  readonly origins: Origins;
  readonly publicUrl: string | undefined;
}

/** What is served under /trpc: the calls, by the short way of plain queries or tRPC's own, sessions kept in a cookie, and files. */
export function trpcDoor({ execute, transfers, logger, origins, publicUrl }: Options): Router {
  const router = createTrpcRouter(execute);
  const sameOrigin = new SameOrigin(publicUrl);
  const cookie = new SessionCookie(sameOrigin);
  const callerOf = (req: Request, res: Response) => readCaller((name) => req.get(name), fieldsInto(res));
  const trpc = createExpressMiddleware({
    router,
    maxBatchSize: maxCalls,
    maxBodySize: maxBodyBytes,
    createContext: ({ req, res }) => callerOf(req, res),
    responseMeta: ({ errors }) => {
      const seconds = retryAfterOf(errors);
      return seconds === null ? {} : { headers: new Headers({ 'retry-after': String(seconds) }) };
    },
  });
  return express
    .Router()
    .use(crossOrigin(origins.allowed), checkOrigin(origins), giveAddress)
    .use('/session-cookie', sessionCookieRoutes({ execute, callerOf, cookie, sameOrigin }))
    .use(cookieCredential(cookie, sameOrigin))
    .use('/upload', uploadRoutes({ ...transfers, callerOf }))
    .use('/document', documentRoutes({ ...transfers, callerOf }))
    .use(rejectUnless(jsonBody), createTrpcShortWay({ router, execute, callerOf }), trpc)
    .use(trpcErrors({ router, logger, callerOf }));
}
