import { getTRPCErrorShape, type TRPCError } from '@trpc/server';
import type { Request, RequestHandler, Response } from 'express';
import superjson from 'superjson';
import { procedures } from '../procedures/index.js';
import { createToEnvelope } from './answers/superjson-envelope.js';
import type { Caller } from './caller.js';
import { wireInput } from './client-input.js';
import type { Execute } from './execute.js';
import { leftSignal } from './left-signal.js';
import { type BuiltRouter, retryAfterOf, toTrpcError } from './trpc.js';
import { type Query, queriesOf, readQueries } from './trpc-queries.js';

type Outcome =
  | { readonly query: Query; readonly wire: Readonly<Record<string, unknown>> }
  | { readonly query: Query; readonly error: TRPCError };

/** The answer to one query, or to a request that failed as a whole. */
interface Item {
  readonly status: number;
  /** JSON. */
  readonly text: string;
}

interface ShortWayOptions {
  readonly router: BuiltRouter;
  readonly execute: Execute;
  readonly callerOf: (req: Request, res: Response) => Caller;
}

/**
 * Answers plain requests of one or several queries as tRPC does, but for its web streams and for superjson's walk through each
 * answer. All others go on to tRPC: mutations, streams, and whatever it refuses.
 */
export function createTrpcShortWay({ router, execute, callerOf }: ShortWayOptions): RequestHandler {
  const known = queriesOf(procedures);
  const toEnvelope = createToEnvelope(procedures);
  const { _config: config } = router._def;

  async function ask(query: Query, caller: Caller, signal: AbortSignal): Promise<Outcome> {
    const { procedure, path, input } = query;
    try {
      const { wire } = await execute(procedure, wireInput(procedure, input), { ...caller, face: 'trpc', path, signal });
      return { query, wire };
    } catch (error) {
      return { query, error: toTrpcError(error) };
    }
  }

  function toItem(outcome: Outcome, ctx: Caller): Item {
    if ('error' in outcome) return toErrorItem(outcome.error, ctx, outcome.query);
    return { status: 200, text: `{"result":{"data":${toEnvelope(outcome.query.procedure, outcome.wire)}}}` };
  }

  function toErrorItem(error: TRPCError, ctx: Caller, { path, input }: Partial<Query> = {}): Item {
    const shape = getTRPCErrorShape({ config, error, type: 'query', path, input, ctx });
    return { status: shape.data.httpStatus, text: JSON.stringify({ error: superjson.serialize(shape) }) };
  }

  return async (req, res, next) => {
    const request = readQueries(req, known, config.transformer.input.deserialize);
    if (request === null) return next();
    const caller = callerOf(req, res);
    const signal = leftSignal(res);
    res.setHeader('vary', 'trpc-accept, accept');
    const outcomes = await Promise.all(request.queries.map((query) => ask(query, caller, signal)));
    const retryAfter = retryAfterOf(outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : [])));
    res.setHeader('content-type', 'application/json');
    if (retryAfter !== null) res.setHeader('retry-after', String(retryAfter));
    try {
      send(
        res,
        outcomes.map((outcome) => toItem(outcome, caller)),
        request.isBatch,
      );
    } catch (error) {
      // Superjson refuses keys such as `constructor`, and then there is no answer to any query.
      send(res, [toErrorItem(toTrpcError(error), caller)], false);
    }
  };
}

function send(res: Response, items: readonly Item[], isBatch: boolean): void {
  const [status = 200, ...others] = new Set(items.map((item) => item.status));
  const text = items.map((item) => item.text).join();
  res.statusCode = others.length === 0 ? status : 207;
  res.end(isBatch ? `[${text}]` : text);
}
