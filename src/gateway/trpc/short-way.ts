import { getTRPCErrorShape, type TRPCError } from '@trpc/server';
import type { Request, RequestHandler, Response } from 'express';
import superjson from 'superjson';
import { type AnyProcedure, type Groups, isCallable } from '../../procedures/define.js';
import { procedures } from '../../procedures/index.js';
import { isRecord } from '../../shared/json/is-record.js';
import type { Caller } from '../caller.js';
import type { Execute } from '../execute.js';
import { leftSignal } from '../http/left-signal.js';
import { maxCalls } from '../http/request-checks.js';
import { wireInput } from './client-input.js';
import { createToEnvelope } from './superjson-envelope.js';
import { type BuiltRouter, retryAfterOf, toTrpcError } from './trpc.js';

/** A query of a tRPC request. */
interface Query {
  readonly path: string;
  readonly procedure: AnyProcedure;
  /** As superjson reads it; undefined where the request has none. */
  readonly input: unknown;
}

interface Queries {
  readonly queries: readonly Query[];
  /** Whether the answer is a list. */
  readonly isBatch: boolean;
}

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

/** The procedures that only read, by their tRPC path. */
function queriesOf(groups: Groups): ReadonlyMap<string, AnyProcedure> {
  return new Map(
    Object.entries(groups).flatMap(([group, members]) =>
      Object.entries(members).flatMap(([name, procedure]) =>
        procedure.access === 'read' && isCallable(procedure) ? [[`${group}.${name}`, procedure] as const] : [],
      ),
    ),
  );
}

/**
 * The queries of a request that is a plain GET of known ones; null for any other, right or wrong.
 *
 * @param deserialize reads an input as tRPC does
 */
function readQueries(
  { method, url, headers }: Request,
  known: ReadonlyMap<string, AnyProcedure>,
  deserialize: (input: unknown) => unknown,
): Queries | null {
  if (method !== 'GET' || headers['trpc-accept'] !== undefined || /jsonl/i.test(headers.accept ?? '')) return null;
  const [, path, search] = /^\/([\w.,]+)(?:\?([^#]*))?$/.exec(url) ?? [];
  if (path === undefined) return null;
  const parameters = new URLSearchParams(search);
  for (const name of parameters.keys()) if (name !== 'batch' && name !== 'input') return null;
  const isBatch = parameters.get('batch') === '1';
  const paths = isBatch ? path.split(',') : [path];
  if (paths.length > maxCalls) return null;
  const queries: Query[] = [];
  try {
    const given = readInput(parameters.get('input'), isBatch);
    for (const [index, name] of paths.entries()) {
      const procedure = known.get(name);
      if (procedure === undefined) return null;
      const input = given[index];
      queries.push({ path: name, procedure, input: input === undefined ? undefined : deserialize(input) });
    }
  } catch {
    return null;
  }
  return { queries, isBatch };
}

/** Inputs by the index of their query, still as superjson wrote them. Throws where they cannot be read. */
function readInput(text: string | null, isBatch: boolean): Readonly<Record<string, unknown>> {
  if (text === null || text === '') return {};
  const input: unknown = JSON.parse(text);
  if (!isBatch) return { 0: input };
  if (!isRecord(input)) throw new TypeError('the input of a batch is an object');
  return input;
}
