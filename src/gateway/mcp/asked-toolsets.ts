import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http/http-errors.js';
import { knownCaller, readsAlone } from './known-caller.js';
import type { ToolCatalogue } from './tool-catalogue.js';
import { readToolsetNames, type Toolsets, UnknownToolset } from './toolsets.js';

/**
 * The tools that a request gets: those that it asks for, by `?toolsets=`, `X-MCP-Toolsets` and `X-MCP-Readonly`
 * together, without those that its token's scope does not cover. A proxy that adds `readonly` is not overruled by an
 * address. Throws `HttpError` 400 for an unknown name, whatever the request: an agent whose configuration is wrong must
 * not work with other tools than its owner chose.
 */
export function askedToolsets(toolsets: Toolsets, req: IncomingMessage): ToolCatalogue {
  return choose(toolsets, [...askedNames(req), ...(readsAlone(knownCaller(req)) ? ['readonly'] : [])]);
}

/** The same, whatever the token's scope. */
export function toolsetsOfAnyScope(toolsets: Toolsets, req: IncomingMessage): ToolCatalogue {
  return choose(toolsets, askedNames(req));
}

const nothing: readonly string[] = [];

function askedNames({ url = '', headers }: IncomingMessage): readonly string[] {
  const { 'x-mcp-toolsets': header, 'x-mcp-readonly': readonly } = headers;
  const at = url.indexOf('?');
  // What nearly every request is.
  if (header === undefined && readonly === undefined && at === -1) return nothing;
  const lists = at === -1 ? [] : new URLSearchParams(url.slice(at)).getAll('toolsets');
  const names = [...lists, header ?? ''].flatMap((list) => readToolsetNames(String(list)));
  return isOn(readonly) ? [...names, 'readonly'] : names;
}

function isOn(header: string | string[] | undefined): boolean {
  const text = String(header ?? 'false').toLowerCase();
  if (text !== 'true' && text !== 'false') throw new HttpError(400, 'X-MCP-Readonly takes true or false');
  return text === 'true';
}

function choose(toolsets: Toolsets, names: readonly string[]): ToolCatalogue {
  try {
    return toolsets.choose(names);
  } catch (error) {
    if (error instanceof UnknownToolset) throw new HttpError(400, error.message);
    throw error;
  }
}
