import { AsyncLocalStorage } from 'node:async_hooks';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Request, RequestHandler, Response } from 'express';
import { isRecord } from '../../shared/json/is-record.js';
import { fieldsInto, readCaller } from '../caller.js';
import { leftSignal } from '../http/left-signal.js';
import { maxBodyBytes } from '../http/request-checks.js';
import { createAskWhoCalls, type Holder, holderOf, knownCaller } from './known-caller.js';
import { ListenStreams } from './listen-stream.js';
import { dropNullArguments, handshakeRefusal, nameBothTypes } from './meant-request.js';
import { createMcpServerFactory } from './server.js';
import type { ToolCatalogue } from './tool-catalogue.js';
import { askedToolsets } from './toolsets.js';
import { Watches } from './watches.js';
import type { CreateMcpWay } from './way.js';

/** Streams of changes, of all callers. */
const maxStreams = 1_000;

interface Exchange {
  readonly res: Response;
  readonly catalogue: ToolCatalogue;
  readonly holder: Holder;
}

/** All of MCP, protocol 2026-07-28 and the 2025 revisions, by the SDK. Each exchange gets a new server. */
export const createSdkWay: CreateMcpWay = ({ execute, toolsets, logger, watchEveryMs }) => {
  const createServer = createMcpServerFactory(execute, toolsets);
  const askWhoCalls = createAskWhoCalls(execute);
  // The SDK gives a tool its request as it reads it, and not its answer.
  const exchanges = new AsyncLocalStorage<Exchange>();
  const watches = new Watches(execute, watchEveryMs);
  const streams = new ListenStreams(watches);
  const mcp = createMcpHandler(
    ({ era, requestInfo }) => {
      const header = (name: string) => requestInfo?.headers.get(name) ?? undefined;
      const exchange = exchanges.getStore();
      return createServer({
        catalogue: exchange?.catalogue ?? toolsets.standard,
        holder: exchange?.holder ?? null,
        // A client of 2025 would hear of changes on a stream of its session, and there are no sessions.
        subscribes: era === 'modern',
        caller: () => readCaller(header, fieldsInto(exchange?.res)),
      });
    },
    {
      maxRequestBodySize: maxBodyBytes,
      bus: streams.bus,
      maxSubscriptions: maxStreams,
      // The message repeats what the client sent, so only the kind of error is logged.
      onerror: (error) => logger.debug({ kind: error.name }, 'mcp request refused'),
    },
  );
  const serve = toNodeHandler(mcp, { maxRequestBodySize: maxBodyBytes });

  function holderFor(req: Request, res: Response): Holder | Promise<Holder> {
    const caller = readCaller((name) => req.get(name), fieldsInto(res));
    if (isHandshake(req.body)) return knownCaller(req) ?? holderOf(askWhoCalls, caller, leftSignal(res));
    return caller.credential === null ? null : 'unknown';
  }

  const handler: RequestHandler = async (req, res) => {
    const catalogue = askedToolsets(toolsets, req);
    const refusal = handshakeRefusal(req.body);
    if (refusal !== null) {
      res.status(400).json(refusal);
      return;
    }
    const holder = await holderFor(req, res);
    nameBothTypes(req);
    dropNullArguments(req.body);
    const caller = () => readCaller((name) => req.get(name));
    await exchanges.run({ res, catalogue, holder }, () =>
      streams.serve(req.body, caller, res, () => serve(req, res, req.body)),
    );
  };
  return {
    handler,
    drain: () => watches.close(),
    close: async () => {
      watches.close();
      await mcp.close();
    },
  };
};

/** Whether a client asks for the instructions, and for nothing else. */
function isHandshake(body: unknown): boolean {
  return isRecord(body) && (body['method'] === 'initialize' || body['method'] === 'server/discover');
}
