import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWithDatabase, startPosternProgram } from '../../bin/running-postern.js';
import { textAt } from '../../support/at.js';
import { eventually } from '../../support/eventually.js';
import { startReceiver } from './receiver.js';

test('a notification outlives the program that queued it and was killed, and no log names its address', async () => {
  const receiver = await startReceiver();
  const dataDir = await folderWithDatabase();
  const env = { DATA_DIR: dataDir, WEBHOOK_ALLOWED_HOSTS: receiver.host, LOG_LEVEL: 'debug' };
  const first = startPosternProgram(env);
  const url = await first.ready();
  const run: unknown = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8'));
  const webhooks = `${url}/api/projects/${textAt(run, 'project_id')}/webhooks`;
  const post = async (address: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${textAt(run, 'keys.read_write')}`, 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    });
    return response.json();
  };
  const added = await post(webhooks, { kind: 'generic', name: 'ours', url: receiver.url });
  const queued = await post(`${webhooks}/${textAt(added, 'webhook.id')}/test`);
  first.kill('SIGKILL');
  await first.ended;

  const second = startPosternProgram(env);
  await second.ready();
  await eventually(() => expect(receiver.received.length).toBeGreaterThan(0));
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids)).toEqual(new Set([textAt(queued, 'delivery_id')]));
  second.kill('SIGTERM');
  expect(await second.ended).toBe(0);
  for (const log of [first.stdout(), first.stderr(), second.stdout(), second.stderr()]) {
    expect(log).not.toContain('/hook/secret');
    expect(log).not.toContain(textAt(added, 'secret'));
  }
});
