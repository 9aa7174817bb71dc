import { type AnyProcedure, isComposite, type Procedure } from '../../procedures/define.js';
import { procedures } from '../../procedures/index.js';
import { methodOf, pathsOf } from '../../shared/http/request-parts.js';
import type { CapturedExamples } from './examples.js';
import { bodySchema, operationOf, typeName } from './operation.js';
import { answerHeaders, headers, problemResponses, problemSchema } from './problems.js';
import { schemaOf } from './schemas.js';

/** Title of each group. One that is missing does not compile. */
const tags: Readonly<Record<keyof typeof procedures, string>> = {
  organisation: 'Organisation',
  projects: 'Projects',
  groups: 'Groups of projects',
  alerts: 'Alerts',
  sast: 'Static analysis',
  dast: 'Running applications',
  reachability: 'Reachability verdicts',
  remediation: 'Remediation plans',
  receipts: 'Signed receipts',
  containers: 'Containers',
  techStack: 'Tech stack',
  webhooks: 'Webhooks',
  intelligence: 'Intelligence and documents',
  posture: 'Posture',
  vex: 'VEX',
  uploads: 'Uploads',
  session: 'Sessions',
  signIn: 'Signing in by an issuer',
  apiKeys: 'API keys',
};

const description = `Vulnerability posture by REST. The same procedures are on tRPC (\`/trpc\`), and many on MCP (\`/mcp\`).

- A \`project_id\` takes a project’s id or its name, where nothing is deleted, and a \`group\` a group’s; \`image_id\` a ref, \`alert_id\` and \`verdict_id\` a CVE or GHSA id.
- A person of the issuer who is a member of several organisations names one by its id, in the header \`X-Organisation\`.
- An optional field may be null, which means absent.
- Bodies are UTF-8 JSON, and may have a Content-Encoding of gzip, deflate or br.
- Errors are problem+json (RFC 9457). Programs act on \`code\`, \`reason\` and \`errors[].field\`.
- 429 and 503 say in Retry-After when to come back.
- Operators’ routes under \`/api/operator\` are not described here.`;

/** Parameters that are headers. */
const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'A request is done once for each key, which is kept for a day',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag that was read, in place of expected_revision. 412 where it is not the newest',
    schema: { type: 'string', pattern: '^(\\*|"[1-9]\\d{0,9}")$' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'How many seconds to wait for the answer to a large body, as wait=30: at most 60, by default 5. Then 202',
    schema: { type: 'string' },
    example: 'wait=30',
  },
};

const health = {
  get: {
    operationId: 'health',
    tags: ['health'],
    summary: 'Whether the database answers',
    security: [],
    responses: {
      200: {
        description: 'It does',
        headers: answerHeaders,
        content: {
          'application/json': {
            schema: { type: 'object', properties: { status: { const: 'ok' } }, required: ['status'] },
            example: { status: 'ok' },
          },
        },
      },
      503: { $ref: '#/components/responses/Problem503' },
    },
  },
};

/** The API as an OpenAPI 3.1 document, from the definitions that answer it. */
export function openApiDocument(examples: CapturedExamples) {
  const described = requests().map(([name, procedure]) => ({ name, procedure, example: examples.procedures[name] }));
  const paths: Record<string, Record<string, object>> = { '/api/healthz': health };
  const schemas: Record<string, object> = { Problem: problemSchema };
  for (const each of described) {
    const { name, procedure } = each;
    for (const path of pathsOf(procedure)) {
      paths[path] = { ...paths[path], [methodOf(procedure).toLowerCase()]: operationOf(each, path) };
    }
    schemas[`${typeName(name)}Answer`] = schemaOf(procedure.output);
    const body = bodySchema(procedure);
    if (body !== null) schemas[`${typeName(name)}Body`] = body;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postern',
      version: '1',
      summary: 'Vulnerability posture of an organisation’s projects',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // The same origin: whoever has this document from a server has the API there.
    servers: [{ url: '/', description: 'This server' }],
    security: [{ bearer: [] }],
    tags: [...Object.entries(tags), ['health', 'Health'] as const].map(([name, title]) => ({
      name,
      description: title,
    })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key (postern_live_…), a member’s session token (POST /api/session), or a token of the OAuth issuer, where one is set',
        },
      },
      schemas,
      responses: problemResponses(examples),
      parameters,
      headers,
    },
  };
}

/** Every procedure that is a request, by its name. */
function requests(): [name: string, procedure: Procedure][] {
  return Object.entries(procedures).flatMap(([group, members]) =>
    Object.entries<AnyProcedure>(members).flatMap(([member, procedure]): [string, Procedure][] =>
      isComposite(procedure) ? [] : [[`${group}.${member}`, procedure]],
    ),
  );
}
