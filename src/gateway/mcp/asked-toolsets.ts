import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http-errors.js';
import type { ToolCatalogue } from '../tool-catalogue.js';
import { readToolsetNames, type Toolsets, UnknownToolset } from './toolsets.js';

/**
 * The tools that a request asks for, by `?toolsets=` and `X-MCP-Toolsets` together: a proxy that adds `readonly` is not
 * overruled by an address. Throws `HttpError` 400 for an unknown name, whatever the request: an agent whose configuration is
 * wrong must not work with other tools than its owner chose.
 */
export function askedToolsets(toolsets: Toolsets, { url = '', headers }: IncomingMessage): ToolCatalogue {
  const header = headers['x-mcp-toolsets'];
  const at = url.indexOf('?');
  // What nearly every request is.
  if (header === undefined && at === -1) return toolsets.standard;
  const lists = at === -1 ? [] : new URLSearchParams(url.slice(at)).getAll('toolsets');
  try {
    return toolsets.choose([...lists, header ?? ''].flatMap((list) => readToolsetNames(String(list))));
  } catch (error) {
    if (error instanceof UnknownToolset) throw new HttpError(400, error.message);
    throw error;
  }
}
