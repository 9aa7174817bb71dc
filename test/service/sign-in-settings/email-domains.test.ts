import { randomUUID } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { at, textAt } from '../../support/at.js';
import { type DnsServer, startDnsServer, type TxtAnswer } from '../../support/dns-server.js';
import { eventually } from '../../support/eventually.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';

let dns: DnsServer;
let service: TestService;
let organisation: TestOrganisation;
let domain: string;
beforeAll(async () => {
  dns = await startDnsServer();
  const resolver = new Resolver({ timeout: 5_000, tries: 1 });
  resolver.setServers([dns.address]);
  service = await startService({ resolveTxt: (name) => resolver.resolveTxt(name) });
});
beforeEach(async () => {
  organisation = await service.newOrganisation();
  domain = `d-${randomUUID()}.example.com`;
});
afterAll(async () => {
  await service.close();
  await dns.close();
});

const as = (credential: string, method: string, path: string, body?: unknown) =>
  service.call(credential, method, `/api/org${path}`, body);
const add = async ({ admin }: TestOrganisation = organisation) =>
  (await as(admin.session, 'POST', '/domains', { domain })).body;
const check = async ({ admin }: TestOrganisation = organisation) =>
  (await as(admin.session, 'POST', `/domains/${domain}/check`, {})).body;
const list = async ({ admin }: TestOrganisation = organisation) =>
  at((await as(admin.session, 'GET', '/domains')).body, 'items');

/** What the record's name answers from now on, given the value that it should have. */
async function publish(answer: (value: string) => TxtAnswer, of?: TestOrganisation): Promise<void> {
  const named = await add(of);
  dns.names.set(textAt(named, 'txt_record.name'), answer(textAt(named, 'txt_record.value')));
}

const refusedFor = (reason: string) => ({ status: 422, errors: [{ field: 'domain', reason }] });

describe('a domain', () => {
  test('is named with the record that shows it, the same however often, and counts for nothing yet', async () => {
    const [first, second] = [await add(), await add()];
    expect(first).toEqual({
      domain,
      proven_by: null,
      txt_record: {
        name: `_postern-challenge.${domain}`,
        value: expect.stringMatching(/^postern-domain=[0-9a-f]{40}$/),
      },
      created_at: expect.any(String),
    });
    expect(second).toEqual(first);
    expect(await list()).toEqual([first]);
  });

  test('is named by two requests at once without an error', async () => {
    const both = await Promise.all([add(), add(), add()]);
    expect(new Set(both.map((each) => textAt(each, 'txt_record.value'))).size).toBe(1);
  });

  test.each<readonly [string, (value: string) => TxtAnswer]>([
    ['alone', (value) => [[value]]],
    ['among others', (value) => [['v=spf1 -all'], ['postern-domain=of another server'], [value], ['']]],
    ['in several parts', (value) => [[value.slice(0, 7), value.slice(7, 30), value.slice(30)]]],
  ])('is proven by its record, %s', async (_how, answer) => {
    await publish(answer);
    expect(await check()).toMatchObject({ domain, proven_by: 'dns' });
    expect(dns.asked).toContain(`_postern-challenge.${domain}`);
    expect(await list()).toMatchObject([{ domain, proven_by: 'dns' }]);
    const log = await as(organisation.admin.session, 'GET', '/audit-log?action=domain.prove');
    expect(log.body).toMatchObject({ items: [{ target: { kind: 'domain', id: domain }, after: { by: 'dns' } }] });
  });

  test('that is proven is not looked up again', async () => {
    await publish((value) => [[value]]);
    await check();
    dns.names.clear();
    expect(await check()).toMatchObject({ proven_by: 'dns' });
  });

  test.each<readonly [string, (value: string) => TxtAnswer, string]>([
    ['is not there', () => 'no such name', 'domain_not_shown'],
    ['has no record of the kind', () => [], 'domain_not_shown'],
    ['has another value', (value) => [[value.replace(/.$/, 'z')]], 'domain_not_shown'],
    ['has the value within more', (value) => [[`${value} and more`]], 'domain_not_shown'],
    ['has the value over two records', (value) => [[value.slice(0, 20)], [value.slice(20)]], 'domain_not_shown'],
    ['cannot be had, as its server fails', () => 'failure', 'dns_unreachable'],
    ['cannot be had, as its server is silent', () => 'silence', 'dns_unreachable'],
  ])('whose record %s is not proven, and says why', async (_how, answer, reason) => {
    await publish(answer);
    expect(await check()).toMatchObject(refusedFor(reason));
    expect(await list()).toMatchObject([{ domain, proven_by: null }]);
  });

  test('is not proven by the record of another organisation', async () => {
    await publish((value) => [[value]]);
    const other = await service.newOrganisation();
    await add(other);
    expect(await check(other)).toMatchObject(refusedFor('domain_not_shown'));
  });

  test('is one organisation’s: another one that shows it too is told so, and not whose it is', async () => {
    const other = await service.newOrganisation();
    await publish((value) => [[value]], other);
    expect(await check(other)).toMatchObject({ proven_by: 'dns' });
    await publish((value) => [[value]]);
    const refused = await check();
    expect(refused).toMatchObject({ status: 409, reason: 'domain_elsewhere' });
    expect(JSON.stringify(refused)).not.toContain(other.id);
    expect(await list()).toMatchObject([{ domain, proven_by: null }]);
    expect(await list(other)).toMatchObject([{ domain, proven_by: 'dns' }]);
    // What it gives up is free.
    await as(other.admin.session, 'DELETE', `/domains/${domain}`);
    expect(await check()).toMatchObject({ proven_by: 'dns' });
  });

  test('shown by two organisations at once is one’s', async () => {
    const other = await service.newOrganisation();
    const values = [await add(), await add(other)].map((each) => [textAt(each, 'txt_record.value')]);
    dns.names.set(`_postern-challenge.${domain}`, values);
    const both = await Promise.all([check(), check(other)]);
    expect(both.map((each) => at(each, 'proven_by') ?? at(each, 'reason')).sort()).toEqual(['dns', 'domain_elsewhere']);
  });

  test('that was named anew while it was looked up is not proven by the old record', async () => {
    const value = textAt(await add(), 'txt_record.value');
    let answer: (records: TxtAnswer) => void = () => {};
    const held = new Promise<TxtAnswer>((resolve) => {
      answer = resolve;
    });
    const name = `_postern-challenge.${domain}`;
    dns.names.set(name, held);
    const pending = check();
    await eventually(() => expect(dns.asked).toContain(name));
    await as(organisation.admin.session, 'DELETE', `/domains/${domain}`);
    await add();
    answer([[value]]);
    expect(await pending).toMatchObject(refusedFor('domain_not_shown'));
    expect(await list()).toMatchObject([{ proven_by: null }]);
  });

  test('that the organisation has not named is not found, by admins alone', async () => {
    const { admin, member, writeKey } = organisation;
    for (const [method, path] of [
      ['POST', `/domains/${domain}/check`],
      ['DELETE', `/domains/${domain}`],
    ] as const) {
      expect((await as(admin.session, method, path)).body).toMatchObject({ status: 404, resource: 'domain' });
      for (const other of [member.session, writeKey]) expect((await as(other, method, path)).status).toBe(403);
    }
  });

  test('is one of a hundred at most', async () => {
    await service.database.tenant(organisation.id, (tx) =>
      tx
        .insertInto('email_domains')
        .values(
          Array.from({ length: 100 }, (_, n) => ({
            ...{ organisation_id: organisation.id, domain: `${n}.${domain}`, challenge: 'a' },
          })),
        )
        .execute(),
    );
    expect(await add()).toMatchObject(refusedFor('too_many_domains'));
  });
});
