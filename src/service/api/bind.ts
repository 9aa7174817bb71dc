import type { Request, Response } from 'express';
import { type AnyProcedure, isCallable, isComposite, type Procedure } from '../../procedures/define.js';
import { procedures } from '../../procedures/index.js';
import { methodOf, pathOf, pathsOf } from '../../shared/http/request-parts.js';
import { beginNewcomer } from '../../shared/limits/event-loop.js';
import { networkOf } from '../../shared/limits/network.js';
import type { Caller } from '../auth/caller.js';
import { addressOf, fromOf, originOf } from '../http/address.js';
import { inflatesToMany, mayBeLarge, type Receiving, readBody, receiveBody } from '../http/body.js';
import type { ReceivedBytes } from '../http/receive-body.js';
import { requestIdOf } from '../http/request-id.js';
import type { Route } from '../http/routes.js';
import { rejectUnstorableQuery } from '../http/storable-text.js';
import type { Answer } from './answer.js';
import { type AnsweringOptions, type Arrived, asCaller, logRequest, permittedParameters } from './as-caller.js';
import type { Handlers, PublicContext } from './handler.js';
import { idempotencyKeyOf } from './idempotency.js';
import { type LargeUpload, type LargeUploads, waitOf } from './large-uploads.js';
import {
  type Bound,
  type BoundHandler,
  type CallerRequest,
  encode,
  perform,
  type Read,
  type RequestParameters,
  readInput,
  requestHash,
} from './perform.js';
import { setEntityTag, withExpectedRevision } from './revision.js';
import { sendLines } from './send-lines.js';

export interface BindOptions extends AnsweringOptions {
  readonly receiving: Receiving;
  readonly uploads: LargeUploads;
}

type AnyHandlers = Readonly<Record<string, Readonly<Record<string, BoundHandler>>>>;

/** Every procedure with its handler. */
export function bindHandlers(handlers: Handlers): Bound[] {
  const all: AnyHandlers = handlers;
  return Object.entries(procedures).flatMap(([group, members]) =>
    Object.entries<AnyProcedure>(members).flatMap(([member, procedure]) => {
      if (isComposite(procedure)) return [];
      const [name, handler] = [`${group}.${member}`, all[group]?.[member]];
      if (handler === undefined) throw new Error(`${name} has no handler`);
      return [{ name, procedure, handler }];
    }),
  );
}

/** The routes of a procedure, one for each of its paths. */
export function routesOf(bound: Bound, options: BindOptions): Route[] {
  const { procedure } = bound;
  const respond = procedure.public ? answerPublic : answerCaller;
  return pathsOf(procedure).map((path) => ({
    method: methodOf(procedure),
    path,
    async answer(req, res) {
      const note = logRequest(bound, requestIdOf(res), options);
      const left = new AbortController();
      res.once('close', () => {
        if (!res.writableFinished) left.abort();
        note(res.writableFinished ? res.statusCode : null);
      });
      const exchange = { req, res, left: left.signal };
      if (!isCallable(procedure)) return answerLines(bound, exchange, options);
      const answer = await respond(bound, exchange, options);
      setEntityTag(res, answer);
      res.json(answer);
    },
  }));
}

/** A request over HTTP. */
interface Exchange {
  readonly req: Request;
  readonly res: Response;
  /** Aborted when the client has left. */
  readonly left: AbortSignal;
}

async function answerPublic(bound: Bound, { req, res }: Exchange, options: BindOptions): Promise<Answer> {
  await beginNewcomer(networkOf(addressOf(req)));
  const body = await bodyOf(bound, req, options);
  const { handle } = await read(bound, req, { path: req.params, query: req.query }, body);
  const ctx: PublicContext = {
    system: (work) => options.database.system(work, 'newcomers'),
    now: new Date(),
    ...originOf(req, res),
  };
  return encode(bound.procedure, await handle(ctx));
}

function answerCaller(bound: Bound, exchange: Exchange, options: BindOptions): Promise<Answer> {
  return asCaller(bound, arrivedIn(exchange), options, (caller) => answerAdmitted(bound, caller, exchange, options));
}

function answerLines(bound: Bound, exchange: Exchange, options: BindOptions): Promise<void> {
  const { req, res, left } = exchange;
  const { database, logger } = options;
  return asCaller(bound, arrivedIn(exchange), options, async (caller) => {
    const parameters = await permittedParameters(bound, caller, { path: req.params, query: req.query }, options);
    const { handle } = await read(bound, req, parameters, noBody);
    await sendLines(bound.procedure, handle, { database, caller, from: originOf(req, res) }, { res, left, logger });
  });
}

function arrivedIn({ req, res, left }: Exchange): Arrived {
  return {
    authorization: req.get('authorization'),
    from: fromOf(req),
    organisation: req.get('x-organisation'),
    requestId: requestIdOf(res),
    left,
    show: (fields: Readonly<Record<string, string>>) => {
      if (!res.headersSent) res.set(fields);
    },
  };
}

/** The body is read after authentication, so that nobody without a credential can fill the disk with 64 MB. */
async function answerAdmitted(
  bound: Bound,
  caller: Caller,
  { req, res, left }: Exchange,
  options: BindOptions,
): Promise<Answer> {
  const { procedure } = bound;
  const sent: RequestParameters = { path: req.params, query: req.query };
  const parameters = await permittedParameters(bound, caller, sent, options);
  const key = idempotencyKeyOf(req);
  const leave = mayBeLarge(req, procedure) ? await options.uploads.enter(caller.organisationId, left) : () => {};
  const body = await bodyOf(bound, req, options).finally(leave);
  const request: CallerRequest = {
    caller,
    ...parameters,
    ...originOf(req, res),
    idempotency:
      key === undefined
        ? null
        : { key, requestHash: requestHash(req.method, urlByIds(procedure, req, parameters), body.sha256) },
  };
  const outcome = (await isLarge(procedure, body))
    ? await upload({ bound, request, body, contentType: req.get('content-type') }, req, res, options)
    : await perform(options.database, bound, request, await read(bound, req, parameters, body));
  if ('job' in outcome) {
    res.status(202).set('Location', outcome.path);
    return outcome.job;
  }
  if (outcome.replayed) res.set('Idempotency-Replayed', 'true');
  return outcome.answer;
}

/** The same for a request that names a thing as for one with its id: the Idempotency-Key of both is one. */
function urlByIds(procedure: Procedure, { originalUrl, params }: Request, { path }: RequestParameters): string {
  if (path === params) return originalUrl;
  const search = originalUrl.indexOf('?');
  const byIds = pathOf(procedure).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  return search === -1 ? byIds : byIds + originalUrl.slice(search);
}

async function upload(given: Omit<LargeUpload, 'waitMs'>, req: Request, res: Response, { uploads }: BindOptions) {
  const prefer = req.get('prefer');
  const waitMs = waitOf(prefer);
  if (prefer !== undefined) res.set('Preference-Applied', `wait=${waitMs / 1000}`);
  rejectUnstorableQuery(req.query);
  return uploads.upload({ ...given, waitMs });
}

async function isLarge({ maxBytes }: Procedure, body: ReceivedBytes): Promise<boolean> {
  return 'file' in body || (maxBytes !== undefined && (await inflatesToMany(body.bytes)));
}

async function bodyOf({ procedure }: Bound, req: Request, { receiving }: BindOptions): Promise<ReceivedBytes> {
  const method = methodOf(procedure);
  return method === 'GET' || method === 'DELETE' ? noBody : receiveBody(req, procedure, receiving);
}

const noBody: ReceivedBytes = { size: 0, bytes: Buffer.alloc(0), sha256: Buffer.alloc(0) };

/** Reads the input of a request with a small body. */
async function read(
  bound: Bound,
  req: Request,
  { path, query }: RequestParameters,
  body: ReceivedBytes,
): Promise<Read> {
  if ('file' in body) throw new Error(`${bound.name} takes no large bodies`);
  rejectUnstorableQuery(query);
  const { procedure } = bound;
  const value = await readBody(body.bytes, req.get('content-type'), procedure);
  const isRevised = 'expected_revision' in procedure.input.shape;
  return readInput(bound, { path, query }, value, (input) => (isRevised ? withExpectedRevision(req, input) : input));
}
