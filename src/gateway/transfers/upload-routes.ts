import express, { type Request, type Response, type Router } from 'express';
import superjson from 'superjson';
import * as z from 'zod';
import { type Groups, isComposite, type Procedure } from '../../procedures/define.js';
import { procedures } from '../../procedures/index.js';
import { uploads } from '../../procedures/uploads.js';
import { pathOf } from '../../shared/http/request-parts.js';
import type { Caller } from '../caller.js';
import { type GatewayError, invalidInput, notUnderstood } from '../errors.js';
import { HttpError } from '../http/http-errors.js';
import { leftSignal } from '../http/left-signal.js';
import { decode } from '../upstream/forward.js';
import { readJson } from '../upstream/request.js';
import { textOf } from '../upstream/transfer.js';
import { countedBody } from './counted-body.js';
import { inputOfQuery, type Transfer, type TransferOptions, transfer } from './transfer.js';

interface Options extends TransferOptions {
  readonly callerOf: (req: Request, res: Response) => Caller;
}

/** A procedure that takes a document. */
interface Upload {
  readonly procedure: Procedure;
  readonly maxBytes: number;
  /** The input without what is in the body. */
  readonly query: z.ZodObject;
}

/** Bytes of an answer: the receipt of an upload, or its job. */
const maxAnswerBytes = 8 * 1024 * 1024;

/**
 * `POST /{group.member}?{input without the document}`: sends a document on to the service as it arrives. Answers
 * `{result: {data}}` as a mutation does; 202 with the job, as `uploads.get` has it, where the service goes on with it.
 */
export function uploadRoutes({ callerOf, ...options }: Options): Router {
  const known = uploadsOf(procedures);
  return express.Router().post('/:path', async (req, res) => {
    const { path } = req.params;
    const upload = known.get(path);
    if (upload === undefined)
      throw new HttpError(404, `there is no such upload: there are ${[...known.keys()].join(', ')}`);
    const { procedure, maxBytes } = upload;
    requireType(req, procedure);
    const readInput = () => {
      if (Number(req.headers['content-length']) > maxBytes) throw tooLarge(upload);
      return inputOfQuery(procedure, upload.query, req.query);
    };
    const caller = callerOf(req, res);
    const call = { ...caller, face: 'trpc', path, signal: leftSignal(res) } as const;
    const send: Transfer<unknown>['send'] = (watch) => {
      const body = countedBody(req, (size) => (size > maxBytes ? watch.end(tooLarge(upload)) : watch.moved()));
      return { body, isReceiving: () => !req.complete };
    };
    const use: Transfer<void>['use'] = async ({ status, body }, _watch, work) => {
      const text = await textOf(body, maxAnswerBytes);
      const answer = text === null ? undefined : readJson(text);
      if (answer === undefined) throw notUnderstood(procedure.access, caller.requestId);
      const data = decode(status === 202 ? uploads.get : procedure, answer, caller, work);
      res.status(status === 202 ? 202 : 200).json({ result: { data: superjson.serialize(data) } });
    };
    try {
      await transfer({ procedure, readInput, call, send, use }, options);
    } finally {
      // An answer before the end of the body reads the rest itself.
      req.unpipe();
    }
  });
}

function uploadsOf(groups: Groups): ReadonlyMap<string, Upload> {
  const all = Object.entries(groups).flatMap(([group, members]) =>
    Object.entries(members).flatMap(([member, procedure]) => {
      if (isComposite(procedure) || procedure.maxBytes === undefined) return [];
      return [[`${group}.${member}`, { procedure, maxBytes: procedure.maxBytes, query: queryOf(procedure) }] as const];
    }),
  );
  return new Map(all);
}

/** All fields but the document; of a body that has several fields only those of the path. */
function queryOf(procedure: Procedure): z.ZodObject {
  const fields = Object.entries(procedure.input.shape).filter(([name]) =>
    procedure.body === undefined ? pathOf(procedure).includes(`{${name}}`) : name !== procedure.body,
  );
  return z.strictObject(Object.fromEntries(fields));
}

/** Refuses forms and plain text, which a page of another site could send without asking, and what the service would refuse. */
function requireType(req: Request, { body, mediaTypes = [] }: Procedure): void {
  const types = ['application/json', ...mediaTypes, ...(body === undefined ? [] : ['application/gzip'])];
  if (req.is([...types, 'application/*+json', 'application/x-gzip']) !== false) return;
  throw new HttpError(415, `the document must be ${types.join(', or ')}, and its Content-Type say so`);
}

function tooLarge({ procedure, maxBytes }: Upload): GatewayError {
  const message = `must be at most ${maxBytes / 1024 / 1024} MB`;
  return invalidInput([{ field: procedure.body ?? '', message, code: 'too_large' }]);
}
