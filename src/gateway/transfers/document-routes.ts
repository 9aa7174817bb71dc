import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express, { type Request, type Response, type Router } from 'express';
import { isCallable, type Procedure } from '../../procedures/define.js';
import { procedures } from '../../procedures/index.js';
import type { Caller } from '../caller.js';
import { HttpError } from '../http/http-errors.js';
import { leftSignal } from '../http/left-signal.js';
import { inputOfQuery, type Transfer, type TransferOptions, transfer } from './transfer.js';

interface Options extends TransferOptions {
  readonly callerOf: (req: Request, res: Response) => Caller;
}

/** What answers a document, and its file's name; it begins with the project where there is one. */
const documents: ReadonlyMap<string, readonly [Procedure, name: string]> = new Map([
  ['intelligence.getSbomDocument', [procedures.intelligence.getSbomDocument, 'cdx.json']],
  ['intelligence.exportOpenVex', [procedures.intelligence.exportOpenVex, 'openvex.json']],
  ['organisation.exportAuditLog', [procedures.organisation.exportAuditLog, 'audit-log.jsonl']],
]);

/** `GET /{group.member}?{input}`: a document as a file to keep, byte by byte as the service has it. */
export function documentRoutes({ callerOf, ...options }: Options): Router {
  return express.Router().get('/:path', async (req, res) => {
    const { path } = req.params;
    const [procedure, name = ''] = documents.get(path) ?? [];
    if (procedure === undefined) {
      throw new HttpError(404, `there is no such document: there are ${[...documents.keys()].join(', ')}`);
    }
    const readInput = () => inputOfQuery(procedure, procedure.input, req.query);
    const call = { ...callerOf(req, res), face: 'trpc', path, signal: leftSignal(res) } as const;
    const use: Transfer<void>['use'] = async ({ length, body, input }, watch) => {
      // The name first: its end would decide the type.
      res.attachment('project_id' in input ? `${input['project_id']}.${name}` : name);
      res.type(isCallable(procedure) ? 'json' : 'application/x-ndjson');
      if (length !== null) res.set('content-length', String(length));
      await pipeline(body, moving(watch.moved), res, { signal: watch.signal });
    };
    try {
      await transfer({ procedure, readInput, call, use }, options);
    } catch (error) {
      // Too late for another answer: the connection ends, so the file is not taken for complete.
      if (res.headersSent) res.destroy();
      else throw error;
    }
  });
}

/** Passes a body on, and tells of each piece that its reader has taken. */
function moving(moved: () => void) {
  return async function* (body: Readable) {
    for await (const chunk of body) {
      moved();
      yield chunk;
    }
  };
}
