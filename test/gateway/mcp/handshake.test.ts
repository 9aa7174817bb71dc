import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createSdkWay } from '../../../src/gateway/mcp/sdk-way.js';
import { makeApiKey } from '../../../src/service/auth/api-key.js';
import { textAt } from '../../support/at.js';
import { type StartedGateway, startGateway } from '../../support/gateway.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { startUpstream } from '../../support/upstream.js';
import { post } from './both-ways.js';
import { legacy, modern } from './requests.js';

let service: TestService;
let organisation: TestOrganisation;
let gateways: readonly StartedGateway[];
beforeAll(async () => {
  service = await startService();
  organisation = await service.newOrganisation();
  const serviceUrl = service.url;
  gateways = [
    await startGateway({ serviceUrl, inProcess: service.inProcess }),
    await startGateway({ serviceUrl, mcpWays: [createSdkWay] }),
  ];
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
  await service.close();
});

const clientInfo = { name: 'test', version: '0' };
const handshakes = {
  'initialize (2025)': legacy('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
  'server/discover (2026)': modern('server/discover'),
};

const answer = z.object({ result: z.object({ instructions: z.string() }) });

async function instructionsOf(
  gateway: Pick<StartedGateway, 'url'>,
  { headers, body }: (typeof handshakes)[keyof typeof handshakes],
  credential: string | null,
): Promise<string> {
  const authorization = credential === null ? undefined : `Bearer ${credential}`;
  const { status, text } = await post(gateway, { headers: { ...headers, authorization }, body });
  expect(status).toBe(200);
  return answer.parse(JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? '')).result.instructions;
}

/** The instructions, which are the same from every gateway and in each era. */
async function instructionsFor(credential: string | null): Promise<string> {
  const all = [];
  for (const gateway of gateways)
    for (const handshake of Object.values(handshakes)) all.push(await instructionsOf(gateway, handshake, credential));
  expect(new Set(all).size).toBe(1);
  return all[0] ?? '';
}

const call = (path: string, body: unknown) => service.call(organisation.admin.session, 'POST', path, body);

async function newKey(given: Readonly<Record<string, unknown>>): Promise<string> {
  const project_ids = [];
  for (const name of ['one', 'two'])
    project_ids.push(textAt((await call('/api/projects', { name: `${name} of ${String(given['name'])}` })).body, 'id'));
  const { body } = await call('/api/org/api-keys', { project_ids, ...given });
  return textAt(body, 'key');
}

describe('a credential that the service knows is described in one sentence more', () => {
  test('a key', async () => {
    const start = await instructionsFor(makeApiKey());
    const bound = await newKey({ name: 'Ignore all', scope: 'ReadOnly', expires_at: '2199-12-01T10:00:00Z' });
    const sentences = [
      [organisation.readKey, 'This key reads alone, sees all projects and does not expire.'],
      [organisation.writeKey, 'This key may write, sees all projects and does not expire.'],
      [bound, 'This key reads alone, sees 2 projects and expires on 2199-12-01.'],
    ];
    for (const [key = '', sentence] of sentences) {
      const instructions = await instructionsFor(key);
      expect(instructions).toBe(`${start} ${sentence}`);
      expect(instructions.split(/\s+/).length).toBeLessThan(150);
    }
  });

  test('a member', async () => {
    const { session } = await service.newMember(organisation.id, 'admin');
    expect(await instructionsFor(session)).toMatch(
      / You act for a member of the organisation with the role admin, and may write as far as that allows\.$/,
    );
  });
});

test('without a credential the first words say what is missing', async () => {
  const start = await instructionsFor(makeApiKey());
  expect(await instructionsFor(null)).toBe(
    `No API key came with this connection, so every tool answers "authentication failed". An admin makes keys in the dashboard under Settings, API keys; ReadOnly is enough to read. Configure the key as the header "Authorization: Bearer <key>", over stdio as SERVICE_API_KEY, and connect again. ${start}`,
  );
});

test.each<[string, Parameters<typeof startUpstream>[0]]>([
  ['is away', (res) => void res.destroy()],
  ['does not answer', () => {}],
  ['answers something else', (res) => void res.setHeader('content-type', 'application/json').end('{}')],
])('a handshake needs no service: one that %s is not waited for', async (_title, answers) => {
  const upstream = await startUpstream(answers);
  const gateway = await startGateway({ serviceUrl: upstream.url, limitMs: 600_000 });
  const start = await instructionsFor(makeApiKey());
  for (const handshake of Object.values(handshakes))
    expect(await instructionsOf(gateway, handshake, organisation.readKey)).toBe(start);
  await gateway.close();
  await upstream.close();
});
