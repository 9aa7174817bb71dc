import { AsyncLocalStorage } from 'node:async_hooks';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { RequestHandler, Response } from 'express';
import { fieldsInto, readCaller } from '../caller.js';
import { readCredential } from '../credential.js';
import { maxBodyBytes } from '../request-checks.js';
import type { ToolCatalogue } from '../tool-catalogue.js';
import { askedToolsets } from './asked-toolsets.js';
import { createMcpServerFactory } from './server.js';
import type { CreateMcpWay } from './way.js';

interface Exchange {
  readonly res: Response;
  readonly catalogue: ToolCatalogue;
}

/** All of MCP, protocol 2026-07-28 and the 2025 revisions, by the SDK. Each exchange gets a new server. */
export const createSdkWay: CreateMcpWay = ({ execute, toolsets, logger }) => {
  const createServer = createMcpServerFactory(execute, toolsets);
  // The SDK gives a tool its request as it reads it, and not its answer.
  const exchanges = new AsyncLocalStorage<Exchange>();
  const mcp = createMcpHandler(
    ({ requestInfo }) => {
      const header = (name: string) => requestInfo?.headers.get(name) ?? undefined;
      const exchange = exchanges.getStore();
      return createServer({
        catalogue: exchange?.catalogue ?? toolsets.standard,
        hasCredential:
          readCredential({ authorization: header('authorization'), serviceKey: header('x-service-key') }) !== null,
        caller: () => readCaller(header, fieldsInto(exchange?.res)),
      });
    },
    {
      maxRequestBodySize: maxBodyBytes,
      // A `subscriptions/listen` is acknowledged and ends at once: the server declares no changes to listen to. Nobody
      // can hold a stream open.
      // The message repeats what the client sent, so only the kind of error is logged.
      onerror: (error) => logger.debug({ kind: error.name }, 'mcp request refused'),
    },
  );
  const serve = toNodeHandler(mcp, { maxRequestBodySize: maxBodyBytes });
  const handler: RequestHandler = (req, res) =>
    exchanges.run({ res, catalogue: askedToolsets(toolsets, req) }, () => serve(req, res, req.body));
  return { handler, close: () => mcp.close() };
};
