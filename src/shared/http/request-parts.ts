import * as z from 'zod';
import { isRecord } from '../json/is-record.js';
import { unwrap } from '../schema/unwrap.js';

/** What decides where a procedure's input is put in a request. */
interface Routed {
  /** Method and path, as `GET /api/projects/{project_id}`. */
  readonly http: string;
  /** The same over all projects, for an input without `project_id`. */
  readonly everywhere?: string;
  /** The input key whose value is the whole JSON body. */
  readonly body?: string;
}

/** A request to the API in parts. The path is encoded, the body is a JSON value or absent. */
export interface RequestParts {
  readonly method: string;
  readonly path: string;
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: unknown;
}

/** A request as an HTTP framework has parsed it: all path and query values are still text. */
export interface ReceivedParts {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export function methodOf({ http }: Pick<Routed, 'http'>): string {
  return http.slice(0, http.indexOf(' '));
}

export function pathOf({ http }: Pick<Routed, 'http'>): string {
  return http.slice(http.indexOf(' ') + 1);
}

/** Each path of a procedure: the one over all projects comes second. */
export function pathsOf({ http, everywhere }: Pick<Routed, 'http' | 'everywhere'>): string[] {
  return [http, everywhere].flatMap((line) => (line === undefined ? [] : [pathOf({ http: line })]));
}

/** The path that an input is sent to. */
function pathFor({ http, everywhere }: Routed, input: Readonly<Record<string, unknown>>): string {
  return pathOf({ http: input['project_id'] === undefined && everywhere !== undefined ? everywhere : http });
}

/** One path segment, encoded. `.` and `..` are rejected: to a URL parser they mean another path. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    throw new TypeError(`${name} cannot be a path segment`);
  }
  return encodeURIComponent(value);
}

/** Where a key of a procedure's input is put: in the path, as the whole body, in the query or in the body. */
function placeOf(procedure: Routed, key: string): 'path' | 'whole' | 'query' | 'field' {
  if (pathOf(procedure).includes(`{${key}}`)) return 'path';
  if (key === procedure.body) return 'whole';
  const method = methodOf(procedure);
  return method === 'GET' || method === 'DELETE' || procedure.body !== undefined ? 'query' : 'field';
}

/** The request that carries an input in wire form. */
export function toRequest(procedure: Routed, input: Readonly<Record<string, unknown>>): RequestParts {
  const query: [string, string][] = [];
  const fields: Record<string, unknown> = {};
  let body: unknown;
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const place = placeOf(procedure, key);
    if (place === 'query') for (const each of [value].flat()) query.push([key, String(each)]);
    else if (place === 'whole') body = value;
    else if (place === 'field') fields[key] = value;
  }
  const path = pathFor(procedure, input).replace(/\{(\w+)\}/g, (_, name: string) => segment(name, input[name]));
  const method = methodOf(procedure);
  if (procedure.body === undefined && method !== 'GET' && method !== 'DELETE') body = fields;
  return { method, path, query, body };
}

/**
 * The input of a request, not yet validated. Query text becomes the number, boolean or list that its schema needs: a list has
 * its values behind commas, or each under the same name. Text that does not fit stays text, so that the schema's
 * message names it. A body that is no object is the input itself.
 */
export function fromRequest(
  procedure: Routed & { readonly input: z.ZodObject },
  { path, query, body }: ReceivedParts,
): unknown {
  const input: Record<string, unknown> = { ...readQuery(procedure.input, query) };
  if (procedure.body !== undefined) input[procedure.body] = body;
  else if (isRecord(body)) Object.assign(input, body);
  else if (body !== undefined) return body;
  return { ...input, ...path };
}

function readQuery(schema: z.ZodObject, query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).map(([key, text]) => [key, readText(schema.shape[key], text)]));
}

function readText(schema: unknown, text: unknown): unknown {
  if (typeof text !== 'string' || !(schema instanceof z.ZodType)) return text;
  const inner = unwrap(schema);
  if (inner instanceof z.ZodNumber) return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
  if (inner instanceof z.ZodArray) return text.split(',');
  if (inner instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}
