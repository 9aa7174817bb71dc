import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler, Response } from 'express';
import { fieldsInto, readCaller, readTraceContext } from '../caller.js';
import { callTool } from './call-tool.js';
import { callText, type Era, endText, listStart, readShortRequest, type ShortRequest } from './message-text.js';
import type { ToolCatalogue, ToolEntry } from './tool-catalogue.js';
import { askedToolsets } from './toolsets.js';
import type { CreateMcpWay } from './way.js';

type CallRequest = Extract<ShortRequest, { method: 'tools/call' }>;

/**
 * Answers a single, well-formed tools/call or tools/list as JSON, with the bytes of the SDK's message. Leaves every other
 * request to the next handler.
 */
export const createShortWay: CreateMcpWay = ({ execute, toolsets }) => {
  /** The answers to tools/list, for as long as a choice of tools is kept. */
  const lists = new WeakMap<ToolCatalogue, Readonly<Record<Era, Buffer>>>();
  const running = new Set<AbortController>();
  let isClosed = false;

  async function call(entry: ToolEntry, { params, era, id }: CallRequest, headers: IncomingHttpHeaders, res: Response) {
    const controller = new AbortController();
    const { signal } = controller;
    const leave = () => controller.abort();
    running.add(controller);
    res.once('close', leave);
    if (res.destroyed) leave();
    try {
      const { trace, ...from } = readCaller((name) => headerOf(headers, name), fieldsInto(res));
      const { traceparent, tracestate } = params._meta ?? {};
      const own = readTraceContext(traceparent, tracestate);
      const outcome = await callTool(entry, params.arguments, execute, { ...from, trace: own ?? trace, signal });
      if (signal.aborted) res.status(499).end();
      else sendJson(res, callText(era, id, outcome));
    } finally {
      running.delete(controller);
      res.off('close', leave);
    }
  }

  function listOf(catalogue: ToolCatalogue): Readonly<Record<Era, Buffer>> {
    const { tools } = catalogue;
    const list = lists.get(catalogue) ?? { legacy: listStart('legacy', tools), modern: listStart('modern', tools) };
    lists.set(catalogue, list);
    return list;
  }

  const handler: RequestHandler = async (req, res, next) => {
    const request = isClosed ? null : readShortRequest(req, req.body);
    if (request === null) return next();
    const catalogue = askedToolsets(toolsets, req);
    if (request.method === 'tools/list')
      return sendJson(res, listOf(catalogue)[request.era], Buffer.from(endText(request.id)));
    const entry = catalogue.byName.get(request.params.name);
    if (entry === undefined) return next();
    await call(entry, request, req.headers, res);
  };

  return {
    handler,
    close: async () => {
      isClosed = true;
      for (const controller of running) controller.abort();
    },
  };
};

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Sends JSON in parts, with its length. */
function sendJson(res: Response, ...parts: readonly Buffer[]): void {
  res.setHeader('content-type', 'application/json');
  res.setHeader(
    'content-length',
    parts.reduce((bytes, { length }) => bytes + length, 0),
  );
  // One packet for all.
  res.cork();
  for (const part of parts) res.write(part);
  res.end();
}
