import { isCallable, type Procedure } from '../../procedures/define.js';
import { type CallerKind, permissions } from '../../procedures/permissions.js';
import { methodOf, pathOf } from '../../shared/http/request-parts.js';
import { isGuardedPath } from '../auth/permissions.js';
import type { Exchange } from './examples.js';
import { answerHeaders, problemsOf, rateHeaders } from './problems.js';
import { type JsonSchema, schemaOf } from './schemas.js';

/** A procedure by its name, as `alerts.list`, with the exchange that is its example. */
export interface Described {
  readonly name: string;
  readonly procedure: Procedure;
  readonly example: Exchange | undefined;
}

/** `alerts.list` as `AlertsList`. */
export function typeName(name: string): string {
  return name.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The operation at the path in `http`, or at the one over all projects. */
export function operationOf({ name, procedure, example }: Described, path: string): object {
  const isEverywhere = path !== pathOf(procedure);
  const type = typeName(name);
  const { title } = procedure;
  return {
    operationId: `${type[0]?.toLowerCase()}${type.slice(1)}${isEverywhere ? 'Everywhere' : ''}`,
    tags: [name.split('.')[0]],
    summary: isEverywhere ? `${title}, of all projects` : title,
    description: `${procedure.description}${whoMay(name)}`,
    ...(procedure.public && { security: [] }),
    parameters: [...parametersOf(procedure, path, example), ...headersOf(procedure)],
    ...bodyOf(name, procedure, example),
    responses: { ...answersOf(name, procedure, isEverywhere ? undefined : example), ...problemsOf(procedure) },
  };
}

const callers: Readonly<Record<CallerKind, string>> = {
  read_key: 'read-only keys',
  write_key: 'keys that write',
  none: 'those with a role in a group of projects',
  viewer: 'viewers',
  triager: 'triagers',
  member: 'members',
  admin: 'admins',
};

/** Who may call it, in a sentence made from the table that decides it. */
function whoMay(name: string): string {
  if (!isGuardedPath(name)) return '';
  const permission = permissions[name];
  const who = permission.callers.map((each) => callers[each]).join(', ');
  const plan = permission.plan === undefined ? '' : `, with the plan ${permission.plan} or a larger one`;
  const keys = permission.rejectsBoundKeys === true ? ', but no key that is bound to projects' : '';
  return `\n\nFor ${who}${plan}${keys}.`;
}

/** The schema of each field, and whether a request needs it. */
function fieldsOf({ input }: Procedure): ReadonlyArray<{ name: string; schema: JsonSchema; required: boolean }> {
  const { properties = {}, required = [] } = schemaOf(input);
  return Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === 'boolean' ? [] : [{ name, schema, required: required.includes(name) }],
  );
}

function isInQuery(procedure: Procedure, name: string): boolean {
  if (pathOf(procedure).includes(`{${name}}`) || name === procedure.body) return false;
  return ['GET', 'DELETE'].includes(methodOf(procedure)) || procedure.body !== undefined;
}

function parametersOf(procedure: Procedure, path: string, example: Exchange | undefined): object[] {
  return fieldsOf(procedure).flatMap(({ name, schema: { description, ...schema }, required }) => {
    const inPath = path.includes(`{${name}}`);
    if (!inPath && !isInQuery(procedure, name)) return [];
    const value = inPath ? example?.path[name] : example?.query[name];
    return [
      {
        name,
        in: inPath ? 'path' : 'query',
        required: inPath || required,
        ...(description !== undefined && { description }),
        schema,
        ...(value !== undefined && {
          example: exampleOf(schema, value),
        }),
      },
    ];
  });
}

/** The value that the text of a query or path means. */
function exampleOf({ type }: JsonSchema, text: string): unknown {
  if (type === 'array') return text.split(',');
  return type === 'string' || type === undefined ? text : JSON.parse(text);
}

function headersOf(procedure: Procedure): object[] {
  const names = [
    ...(methodOf(procedure) === 'POST' && !procedure.public ? ['IdempotencyKey'] : []),
    ...('expected_revision' in procedure.input.shape ? ['IfMatch'] : []),
    ...(procedure.maxBytes !== undefined ? ['Prefer'] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The schema of the body; null where a request has none. */
export function bodySchema(procedure: Procedure): JsonSchema | null {
  const { body } = procedure;
  if (['GET', 'DELETE'].includes(methodOf(procedure))) return null;
  const fields = fieldsOf(procedure).filter(({ name }) => !pathOf(procedure).includes(`{${name}}`));
  if (body !== undefined) return fields.find(({ name }) => name === body)?.schema ?? null;
  if (fields.length === 0) return null;
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function bodyOf(name: string, procedure: Procedure, example: Exchange | undefined): object {
  const schema = bodySchema(procedure);
  if (schema === null) return {};
  const { body, mediaTypes = [], maxBytes } = procedure;
  const json = {
    schema: { $ref: `#/components/schemas/${typeName(name)}Body` },
    ...(example?.body !== undefined && { example: example.body }),
  };
  const texts = mediaTypes.map((type) => [type, { schema: { type: 'string' } }] as const);
  const size = maxBytes === undefined ? '' : `At most ${maxBytes / 1024 / 1024} MB`;
  const gzip = body === undefined ? '.' : ', decompressed. May be a gzip file as it is.';
  return {
    requestBody: {
      ...(size !== '' && { description: size + gzip }),
      required: body !== undefined || (schema.required ?? []).length > 0,
      content: Object.fromEntries([
        ['application/json', json],
        ...texts,
        ...(body === undefined ? [] : [['application/gzip', {}] as const]),
      ]),
    },
  };
}

function answersOf(name: string, procedure: Procedure, example: Exchange | undefined): object {
  const rates = procedure.public ? {} : rateHeaders;
  const hasRevision = 'revision' in procedure.output.shape;
  const replayed = methodOf(procedure) === 'POST' && !procedure.public;
  return {
    200: {
      description: procedure.title,
      headers: {
        ...answerHeaders,
        ...rates,
        ...(hasRevision && { ETag: { $ref: '#/components/headers/ETag' } }),
        ...(replayed && { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } }),
      },
      content: {
        [isCallable(procedure) ? 'application/json' : 'application/x-ndjson']: {
          schema: { $ref: `#/components/schemas/${typeName(name)}Answer` },
          ...(example !== undefined && { example: example.answer }),
        },
      },
    },
    ...(procedure.maxBytes !== undefined && {
      202: {
        description: 'It takes longer than the caller waits: the job that goes on with it',
        headers: { ...answerHeaders, ...rates, Location: { $ref: '#/components/headers/Location' } },
        content: { 'application/json': { schema: { $ref: '#/components/schemas/UploadsGetAnswer' } } },
      },
    }),
  };
}
