import { Client, type McpSubscription, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newProject } from '../../service/intelligence/organisation.js';
import { result, run, sarif } from '../../service/scanners/sarif/sarif-report.js';
import { at, textAt } from '../../support/at.js';
import { buildProgram } from '../../support/build.js';
import { eventually } from '../../support/eventually.js';
import { startPostern, type TestPostern } from '../../support/postern.js';
import type { TestOrganisation } from '../../support/service.js';

/** Two instances on one database. */
let postern: TestPostern;
let second: TestPostern;
beforeAll(async () => {
  postern = await startPostern({ watchEveryMs: 20 });
  second = await startPostern({ watchEveryMs: 20 });
});
afterAll(async () => {
  await postern.close();
  await second.close();
});

const versionNegotiation = { mode: { pin: '2026-07-28' } } as const;

/** A client of 2026-07-28, and what it was told of. */
async function connected(transport: StreamableHTTPClientTransport | StdioClientTransport) {
  const updated: string[] = [];
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation });
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updated.push(params.uri);
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    updated,
    listen: (...uris: string[]): Promise<McpSubscription> => client.listen({ resourceSubscriptions: uris }),
  };
}

const overHttp = (key: string, { url }: Pick<TestPostern, 'url'> = postern) =>
  connected(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );

const stdio = async (key: string) => ({
  command: process.execPath,
  args: [await buildProgram('src/bin/mcp-router.ts')],
  env: { SERVICE_API_URL: postern.url, SERVICE_API_KEY: key },
});

/** Something new in a project, through another instance than the one that is listened to. */
function scan({ writeKey }: TestOrganisation, project: string, findings: number, through = second) {
  const report = sarif(run(Array.from({ length: findings }, (_, n) => result(n))));
  return through.call(writeKey, 'POST', `/api/projects/${project}/sast/reports?source_repo=shop`, report);
}

const uriOf = (project: string) => `postern://posture/${project}`;
const has = (updated: readonly string[], ...uris: string[]) =>
  eventually(() => expect(updated).toEqual(expect.arrayContaining(uris)));

describe('subscriptions/listen over HTTP', () => {
  test('reports what changed through another instance, by address alone', async () => {
    const organisation = await postern.newOrganisation();
    const [shop, other] = [
      await newProject(postern, organisation, 'shop'),
      await newProject(postern, organisation, 'other'),
    ];
    const { client, updated, listen } = await overHttp(organisation.readKey);
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true });
    const subscription = await listen('postern://posture', uriOf(shop), uriOf(other));
    expect(subscription.honoredFilter).toEqual({
      resourceSubscriptions: ['postern://posture', uriOf(shop), uriOf(other)],
    });
    await scan(organisation, shop, 1);
    await has(updated, 'postern://posture', uriOf(shop));
    expect(updated).not.toContain(uriOf(other));
    const { contents } = await client.readResource({ uri: uriOf(shop) });
    expect(JSON.parse(String(at(contents, '0.text')))).toMatchObject({ open: { code: expect.any(Object) } });
    await subscription.close();
  });

  test('reports nothing of other organisations, nor of projects that a key does not see', async () => {
    const [ours, theirs] = [await postern.newOrganisation(), await postern.newOrganisation()];
    const [shop, hidden] = [await newProject(postern, ours, 'shop'), await newProject(postern, ours, 'hidden')];
    const strange = await newProject(postern, theirs, 'theirs');
    const bound = { name: 'bound', scope: 'ReadOnly', project_ids: [shop] };
    const { body } = await postern.call(ours.admin.session, 'POST', '/api/org/api-keys', bound);
    const one = await overHttp(textAt(body, 'key'));
    const whole = await overHttp(ours.readKey);
    for (const uri of [uriOf(hidden), uriOf(strange), uriOf('prj_none')])
      await expect(one.listen(uri)).rejects.toThrow(`${uri}: not found`);
    await expect(whole.listen(uriOf(strange))).rejects.toThrow('not found');
    await one.listen('postern://posture', uriOf(shop));
    await whole.listen('postern://posture');
    await scan(theirs, strange, 1);
    await scan(ours, hidden, 1);
    // The one who may see it has heard of it.
    await has(whole.updated, 'postern://posture');
    expect(one.updated).toEqual([]);
    await scan(ours, shop, 1);
    await has(one.updated, 'postern://posture', uriOf(shop));
  });

  test('ends when the key is revoked, and when the server stops', async () => {
    const organisation = await postern.newOrganisation();
    const { listen } = await overHttp(organisation.readKey);
    const { closed } = await listen('postern://posture');
    await postern.call(organisation.admin.session, 'DELETE', `/api/org/api-keys/${organisation.readKeyId}`);
    expect(await closed).toBe('graceful');
    await expect(listen('postern://posture')).rejects.toThrow('authentication failed');

    const stopping = await startPostern({ watchEveryMs: 20 });
    onTestFinished(() => stopping.close());
    const other = await overHttp((await stopping.newOrganisation()).readKey, stopping);
    const last = await other.listen('postern://posture');
    stopping.drain();
    expect(await last.closed).toBe('graceful');
    await expect(other.listen('postern://posture')).rejects.toThrow('the server is stopping');
  });

  test('refuses what cannot be waited for, and too much', async () => {
    const { readKey } = await postern.newOrganisation();
    const { listen } = await overHttp(readKey);
    await expect(listen('postern://verdict-formula')).rejects.toThrow('can be waited for are postern://posture,');
    const many = Array.from({ length: 51 }, (_, n) => uriOf(`prj_${n}`));
    await expect(listen(...many)).rejects.toThrow('a subscription takes at most 50 resources');
    const stranger = await overHttp('postern_live_nobody');
    await expect(stranger.listen('postern://posture')).rejects.toThrow('authentication failed');
  });
});

test('a client of 2025 over HTTP has no session to be told on, and is not promised any', async () => {
  const { readKey } = await postern.newOrganisation();
  const client = new Client1({ name: 'test', version: '0' });
  const requestInit = { headers: { authorization: `Bearer ${readKey}` } };
  await client.connect(new Http1(new URL('/mcp', postern.url), { requestInit }));
  onTestFinished(() => client.close());
  expect(client.getServerCapabilities()?.resources).toEqual({});
});

describe('over stdio', () => {
  test('a client of 2025 subscribes and unsubscribes', async () => {
    const organisation = await postern.newOrganisation();
    const shop = await newProject(postern, organisation, 'shop');
    const updated: string[] = [];
    const client = new Client1({ name: 'test', version: '0' });
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      updated.push(params.uri);
    });
    await client.connect(new Stdio1(await stdio(organisation.readKey)));
    onTestFinished(() => client.close());
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true });
    await client.subscribeResource({ uri: uriOf(shop) });
    await client.subscribeResource({ uri: 'postern://posture' });
    await client.unsubscribeResource({ uri: 'postern://posture' });
    await expect(client.subscribeResource({ uri: uriOf('prj_none') })).rejects.toThrow('not found');
    await scan(organisation, shop, 1);
    await has(updated, uriOf(shop));
    expect(updated).not.toContain('postern://posture');
  });

  test('a client of 2026 listens, each subscription to its own', async () => {
    const organisation = await postern.newOrganisation();
    const [shop, other] = [
      await newProject(postern, organisation, 'shop'),
      await newProject(postern, organisation, 'other'),
    ];
    const { updated, listen } = await connected(new StdioClientTransport(await stdio(organisation.readKey)));
    const first = await listen(uriOf(shop));
    const left = await listen(uriOf(other));
    await left.close();
    await expect(listen(uriOf('prj_none'))).rejects.toThrow('not found');
    await scan(organisation, other, 1);
    await scan(organisation, shop, 1);
    await has(updated, uriOf(shop));
    expect(updated).not.toContain(uriOf(other));
    await postern.call(organisation.admin.session, 'DELETE', `/api/org/api-keys/${organisation.readKeyId}`);
    expect(await first.closed).toBe('graceful');
  });
});
