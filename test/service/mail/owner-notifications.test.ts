import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import type { DomainEvent } from '../../../src/service/events/domain-event.js';
import { emitEvents } from '../../../src/service/events/outbox.js';
import { eventually } from '../../support/eventually.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { startSmtpServer } from '../../support/smtp-server.js';
import { newProject } from '../projects/new-project.js';
import { notifiedAlert, scan } from '../webhooks/notifications.js';
import { makeMailsDue, newMailDatabase, publicUrl, startSending } from './mailing-service.js';

let database: Database;
let service: TestService;
let organisation: TestOrganisation;
/** In the group `Web`, which is in the group `Shops`. The member owns both. */
let projectId: string;
beforeAll(async () => {
  database = await newMailDatabase();
  service = await startService({ database, canMail: true });
});
afterAll(async () => {
  await service.close();
  await database.close();
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
  const { member } = organisation;
  await setMember({ proven_by: 'mail' });
  await ask('POST', '/api/groups', { name: 'Shops', owner_id: member.id });
  await ask('POST', '/api/groups', { name: 'Web', parent: 'Shops', owner_id: member.id });
  projectId = await newProject(service, organisation);
  await ask('POST', '/api/groups/assign', { group: 'Web', project_ids: [projectId] });
});
// What one test leaves must not be sent by the next.
afterEach(() => database.system((tx) => tx.deleteFrom('webhook_deliveries').execute()));

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await service.call(organisation.admin.session, method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

function setMember(
  change: { proven_by?: 'mail' | null; deactivated_at?: Date; role?: 'none' },
  id = organisation.member.id,
) {
  return database.system((tx) => tx.updateTable('members').set(change).where('id', '=', id).execute());
}

const red = (vulnerability_id = 'CVE-2021-44228'): DomainEvent => ({
  type: 'alert.red',
  data: { total: 7, alerts: [{ ...notifiedAlert, vulnerability_id }] },
});
const minuteAgo = () => new Date(Date.now() - 60_000);

/** Of a minute ago, so that the mail is due. */
function emit(
  events: readonly DomainEvent[] = [red()],
  now = minuteAgo(),
  projectIds: readonly string[] | null = null,
) {
  const organisationId = organisation.id;
  return database.tenant({ organisationId, projectIds }, (tx) =>
    emitEvents(tx, { organisationId, projectId }, events, now),
  );
}

const mails = () =>
  database.system((tx) =>
    tx
      .selectFrom('webhook_deliveries')
      .select(['member_id', 'status', 'attempts', 'created_at', 'next_attempt_at', 'last_error'])
      .where('organisation_id', '=', organisation.id)
      .execute(),
  );

async function started(answer?: (command: string) => string | undefined) {
  const server = await startSmtpServer(answer === undefined ? {} : { answer });
  startSending(database, server);
  return server;
}

/** That what was queued has been decided, and nobody has got it. */
async function expectUnwanted(): Promise<void> {
  const server = await started();
  const unwanted = { status: 'failed', last_error: 'nobody is to get it any more' };
  await eventually(async () => expect(await mails()).toMatchObject([unwanted]));
  expect(server.received).toEqual([]);
}

describe('the owner of a group', () => {
  test('is notified by mail of what a webhook would be, once of both groups, and of nothing else', async () => {
    await emit([red(), { type: 'scan.finished', data: { scan } }]);
    const server = await started();
    await eventually(() => expect(server.received).toHaveLength(1));
    const { name } = Object(await ask('GET', `/api/projects/${projectId}`));
    expect(server.received[0]).toMatchObject({
      to: organisation.member.email,
      headers: { subject: `Postern: 7 RED alerts in ${name}` },
    });
    expect(server.received[0]?.text.trimEnd().split('\n')).toEqual([
      `${name}: 7 RED alerts`,
      '  CVE-2021-44228 in Maven org.apache.logging.log4j:log4j-core 2.14.1 (new, CVSS 10, EPSS 94.4 %, known exploited, safe: 2.17.1): Remote code injection in Log4j',
      '  and 6 more',
      '',
      `More: ${publicUrl}`,
      '',
      `You get this as the owner of a group of projects in the organisation organisation ${organisation.id}. An admin can name another owner.`,
    ]);
  });

  test('of another group is notified too, and so is one whose key is bound to the project', async () => {
    await setMember({ proven_by: 'mail' }, organisation.admin.id);
    await ask('PATCH', '/api/groups/Shops', { owner_id: organisation.admin.id });
    await emit([red()], minuteAgo(), [projectId]);
    // What is sent to people is none of the key's business.
    const bound = { organisationId: organisation.id, projectIds: [projectId] };
    expect(await database.tenant(bound, (tx) => tx.selectFrom('webhook_deliveries').select('id').execute())).toEqual(
      [],
    );
    const server = await started();
    await eventually(() => expect(server.received).toHaveLength(2));
    const { admin, member } = organisation;
    expect(server.received.map(({ to }) => to).toSorted()).toEqual([admin.email, member.email].toSorted());
  });

  test('gets one mail of all that happens within a minute, and of it fifty lines', async () => {
    const now = new Date();
    await emit([red()], now);
    const [queued] = await mails();
    expect(queued?.next_attempt_at).toEqual(new Date(now.getTime() + 60_000));
    for (let nth = 0; nth < 59; nth += 1) await emit([red(`CVE-2021-${nth}`)], new Date(now.getTime() + nth));
    const server = await started();
    await makeMailsDue(database, organisation.id);
    await eventually(async () => expect(await mails()).toMatchObject([{ status: 'delivered' }]));
    const [{ headers, text } = { headers: {}, text: '' }] = server.received;
    expect(headers).toMatchObject({ subject: 'Postern: 60 notifications' });
    expect(text.match(/^.*: 7 RED alerts$/gm)).toHaveLength(16);
    expect(text).toContain('\nand 44 more notifications\n');
  });

  test('loses nothing where the mail server is away', async () => {
    await emit([red('CVE-2021-1')]);
    await emit([red('CVE-2021-2')]);
    let deferred = 0;
    const server = await started((command) => (/^RCPT/.test(command) && ++deferred === 1 ? '451 later' : undefined));
    await eventually(async () => expect(await mails()).toMatchObject([{ status: 'retrying', attempts: 1 }]));
    await makeMailsDue(database, organisation.id);
    await eventually(() => expect(server.received).toHaveLength(1));
    expect(server.received[0]?.text).toMatch(/CVE-2021-1 [\s\S]*CVE-2021-2 /);
  });

  test('gets nothing at an address that nobody has shown', async () => {
    await setMember({ proven_by: null });
    await emit();
    expect(await mails()).toEqual([]);
  });

  test('gets nothing at an address that nobody shows any more', async () => {
    await emit();
    await setMember({ proven_by: null });
    await expectUnwanted();
  });

  test('gets nothing after another was named, of what happened before neither', async () => {
    await emit();
    for (const group of ['Web', 'Shops']) await ask('PATCH', `/api/groups/${group}`, { clear: ['owner_id'] });
    await expectUnwanted();
    await emit();
    expect(await mails()).toHaveLength(1);
  });

  test('gets nothing of a project that is in the group no more', async () => {
    await emit();
    await ask('POST', '/api/groups/assign', { clear: ['group'], project_ids: [projectId] });
    await expectUnwanted();
  });

  test('gets nothing without a role', async () => {
    await setMember({ role: 'none' });
    await emit();
    await expectUnwanted();
  });

  test('gets what a role in the outer group lets read', async () => {
    await setMember({ role: 'none' });
    const of = { organisation_id: organisation.id, member_id: organisation.member.id, role: 'viewer' } as const;
    await database.system(async (tx) => {
      const groups = tx.selectFrom('project_groups').select('id').where('organisation_id', '=', organisation.id);
      const { id: group_id } = await groups.where('name', '=', 'Shops').executeTakeFirstOrThrow();
      await tx
        .insertInto('group_members')
        .values({ ...of, group_id })
        .execute();
    });
    await emit();
    const server = await started();
    await eventually(() => expect(server.received).toHaveLength(1));
  });

  test('gets nothing once deactivated', async () => {
    await emit();
    await setMember({ deactivated_at: new Date() });
    await expectUnwanted();
    await emit();
    expect(await mails()).toHaveLength(1);
  });

  test('gets nothing once removed', async () => {
    await emit();
    expect(await mails()).toHaveLength(1);
    await ask('DELETE', `/api/org/members/${organisation.member.id}`);
    expect(await mails()).toEqual([]);
    await emit();
    expect(await mails()).toEqual([]);
  });
});

test('a mail that this version cannot write is tried again, and holds up nobody else’s', async () => {
  await emit();
  await database.system((tx) => tx.updateTable('webhook_deliveries').set({ payload: '{}' }).execute());
  const broken = organisation.id;
  organisation = await service.newOrganisation();
  await ask('POST', '/api/org/invites', { email: 'ada@example.com' });
  const server = await started();
  await eventually(() => expect(server.received).toHaveLength(1));
  const rows = () =>
    database.system((tx) =>
      tx
        .selectFrom('webhook_deliveries')
        .select(['status', 'last_error'])
        .where('organisation_id', '=', broken)
        .execute(),
    );
  await eventually(async () =>
    expect(await rows()).toEqual([{ status: 'retrying', last_error: 'this version cannot write the mail' }]),
  );
});
