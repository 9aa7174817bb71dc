import { AsyncLocalStorage } from 'node:async_hooks';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { RequestHandler, Response } from 'express';
import { fieldsInto, readCaller } from '../caller.js';
import { maxBodyBytes } from '../request-checks.js';
import { createMcpServerFactory } from './server.js';
import type { CreateMcpWay } from './way.js';

/** All of MCP, protocol 2026-07-28 and the 2025 revisions, by the SDK. Each exchange gets a new server. */
export const createSdkWay: CreateMcpWay = ({ execute, catalogue, logger }) => {
  const createServer = createMcpServerFactory(execute, catalogue);
  // The SDK gives a tool its request and not its answer.
  const answers = new AsyncLocalStorage<Response>();
  const mcp = createMcpHandler(
    ({ requestInfo }) =>
      createServer(() =>
        readCaller((name) => requestInfo?.headers.get(name) ?? undefined, fieldsInto(answers.getStore())),
      ),
    {
      maxRequestBodySize: maxBodyBytes,
      // A `subscriptions/listen` is acknowledged and ends at once: the server declares no changes to listen to. Nobody
      // can hold a stream open.
      // The message repeats what the client sent, so only the kind of error is logged.
      onerror: (error) => logger.debug({ kind: error.name }, 'mcp request refused'),
    },
  );
  const serve = toNodeHandler(mcp, { maxRequestBodySize: maxBodyBytes });
  const handler: RequestHandler = (req, res) => answers.run(res, () => serve(req, res, req.body));
  return { handler, close: () => mcp.close() };
};
