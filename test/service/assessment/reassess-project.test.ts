import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reassessProject } from '../../../src/service/assessment/reassess-project.js';
import type { Database } from '../../../src/service/db/database.js';
import { textAt } from '../../support/at.js';
import { ownDatabase } from '../../support/own-database.js';
import { freshAdvisories } from '../../support/published-fixes.js';
import { startService, type TestService } from '../../support/service.js';
import { advisory, removeAdvisory, storeAdvisory, unique } from '../alerts/advisories.js';
import { newStack } from '../alerts/stack.js';

let database: Database;
let service: TestService;
beforeAll(async () => {
  database = await ownDatabase();
  await freshAdvisories(database);
  service = await startService({ database });
});
afterAll(async () => {
  await service.close();
  await database.close();
});

const store: (name: string, ...more: Parameters<typeof advisory>) => Promise<void> = (name, ...more) =>
  storeAdvisory(service.database, name, advisory(...more));

function reassess({ project }: Awaited<ReturnType<typeof newStack>>, scope?: Parameters<typeof reassessProject>[3]) {
  return service.database.tenant(project.organisationId, (tx) => reassessProject(tx, project, new Date(), scope));
}

const unchanged = { opened: 0, reopened: 0, resolved: 0, updated: 0 };

describe('alerts', () => {
  test('open when an affected package comes, resolve when it goes, reopen when it is back', async () => {
    const stack = await newStack(service);
    const [name, id] = [unique.packageName(), unique.advisoryId()];
    await store(name, id, '0', '2.0.0');
    expect(await stack.sync(`${name}@1.0.0`)).toMatchObject({ alerts: { opened: 1, reopened: 0, resolved: 0 } });
    const [opened] = await stack.alerts();
    expect(opened).toMatchObject({ status: 'open', versions: ['1.0.0'], safe_version: '2.0.0', resolved_at: null });
    expect(await stack.sync()).toMatchObject({ alerts: { opened: 0, resolved: 1 } });
    const [resolved] = await stack.alerts();
    expect(resolved).toMatchObject({ id: opened?.id, status: 'resolved', versions: ['1.0.0'] });
    expect(await stack.sync(`${name}@1.5.0`)).toMatchObject({ alerts: { opened: 0, reopened: 1, resolved: 0 } });
    expect(await stack.alerts()).toMatchObject([
      { id: opened?.id, status: 'open', versions: ['1.5.0'], first_seen_at: opened?.first_seen_at, resolved_at: null },
    ]);
  });

  test('resolve when the package is upgraded, item by item too', async () => {
    const stack = await newStack(service);
    const name = unique.packageName();
    await store(name, unique.advisoryId(), '0', '2.0.0');
    const { body } = await stack.add(name, '1.0.0');
    expect(await stack.alerts()).toMatchObject([{ status: 'open' }]);
    const item = `/api/projects/${stack.projectId}/tech-stack/${textAt(body, 'id')}`;
    await service.call(stack.key, 'PATCH', item, { version: '2.0.0' });
    expect(await stack.alerts()).toMatchObject([{ status: 'resolved' }]);
    await service.call(stack.key, 'PATCH', item, { version: '1.9.0' });
    expect(await stack.alerts()).toMatchObject([{ status: 'open', versions: ['1.9.0'] }]);
    await service.call(stack.key, 'DELETE', item);
    expect(await stack.alerts()).toMatchObject([{ status: 'resolved' }]);
  });

  test('of one CVE from two databases are one alert, with GHSA’s words', async () => {
    const stack = await newStack(service);
    const [name, cve] = [unique.packageName(), unique.cve()];
    const [ghsa, go] = [unique.advisoryId('GHSA'), unique.advisoryId('GO')];
    await store(name, go, '0', '1.5.0', { cves: [cve], summary: 'from GO', severity: 'critical' });
    await store(name, ghsa, '1.2.0', '3.0.0', { cves: [cve], summary: 'from GHSA', severity: 'low' });
    await stack.sync(`${name}@1.0.0`, `${name}@2.0.0`, `${name}@3.0.0`);
    expect(await stack.alerts()).toMatchObject([
      {
        cve,
        advisory_ids: [ghsa, go],
        title: 'from GHSA',
        severity: 'low',
        package: { ecosystem: 'npm', name, purl: `pkg:npm/${name}` },
        versions: ['1.0.0', '2.0.0'],
        safe_version: '3.0.0',
        band: 'unanalyzed',
      },
    ]);
  });

  test('leave out withdrawn, unmaintained and notice records; unsound ones count', async () => {
    const stack = await newStack(service);
    const name = unique.packageName();
    const put = (id: string, state: Parameters<typeof storeAdvisory>[3]) =>
      storeAdvisory(service.database, name, advisory(id, '0', '2.0.0'), state);
    const unsound = unique.advisoryId();
    await put(unique.advisoryId(), { withdrawn: new Date() });
    await put(unique.advisoryId(), { informational: 'unmaintained' });
    await put(unique.advisoryId(), { informational: 'notice' });
    await put(unsound, { informational: 'unsound' });
    await stack.sync(`${name}@1.0.0`);
    expect(await stack.alerts()).toMatchObject([{ advisory_ids: [unsound], cve: null }]);
  });

  test('follow the intelligence: new, changed, withdrawn and removed advisories, EPSS and KEV', async () => {
    const stack = await newStack(service);
    const [name, first, second, cve] = [unique.packageName(), unique.advisoryId(), unique.advisoryId(), unique.cve()];
    await stack.sync(`${name}@1.0.0`);
    expect(await reassess(stack)).toEqual(unchanged);
    await store(name, first, '0', '2.0.0', { cves: [cve] });
    await store(name, second, '0', '2.0.0');
    expect(await reassess(stack)).toEqual({ ...unchanged, opened: 2 });
    await store(name, first, '0', '3.0.0', { cves: [cve], severity: 'high' });
    expect(await reassess(stack)).toEqual({ ...unchanged, updated: 2 });
    expect((await stack.alerts()).map(({ safe_version }) => safe_version)).toEqual(['3.0.0', '3.0.0']);
    await service.database.system(async (tx) => {
      const scored = { cve, probability: 0.5, percentile: 0.9, scored_on: '2025-08-15', model: 'v4' };
      await tx.insertInto('epss').values(scored).execute();
      await tx.insertInto('kev').values({ cve, date_added: '2025-08-01', due_date: null, ransomware: true }).execute();
    });
    expect(await reassess(stack)).toEqual({ ...unchanged, updated: 1 });
    const [worst] = await stack.alerts();
    expect(worst).toMatchObject({
      cve,
      tier: 'RED',
      severity: 'high',
      epss: { probability: 0.5, percentile: 0.9, date: '2025-08-15' },
      kev: { date_added: '2025-08-01', due_date: null, ransomware: true },
    });
    await storeAdvisory(service.database, name, advisory(first, '0', '3.0.0', { cves: [cve] }), {
      withdrawn: new Date(),
    });
    expect(await reassess(stack)).toEqual({ ...unchanged, resolved: 1, updated: 1 });
    await removeAdvisory(service.database, first);
    await removeAdvisory(service.database, second);
    expect(await reassess(stack)).toEqual({ ...unchanged, resolved: 1 });
    expect((await stack.alerts()).map(({ status }) => status)).toEqual(['resolved', 'resolved']);
  });

  test('are not written where nothing has changed', async () => {
    const stack = await newStack(service);
    const [name, cve] = [unique.packageName(), unique.cve()];
    const cvss = { cvss_version: '3.1', cvss_score: 7.4, cvss_vector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N' };
    await service.database.system(async (tx) => {
      const scored = { cve, probability: 0.00043, percentile: 0.1, scored_on: '2025-08-15', model: 'v4' };
      await tx.insertInto('epss').values(scored).execute();
      const listed = { cve, date_added: '2025-08-01', due_date: '2025-08-22', ransomware: false };
      await tx.insertInto('kev').values(listed).execute();
    });
    await store(name, unique.advisoryId(), '0', '2.0.0', { cves: [cve], ...cvss });
    await store(name, unique.advisoryId(), '0', '1.5.0');
    await stack.sync(`${name}@1.0.0`, `${name}@1.7.0`);
    await stack.sync(`${name}@1.7.0`);
    const before = await stack.rows();
    expect(before).toHaveLength(2);
    expect(await reassess(stack)).toEqual(unchanged);
    expect(await reassess(stack, [{ ecosystem: 'npm', package_name: name }])).toEqual(unchanged);
    await stack.sync(`${name}@1.7.0`);
    expect(await stack.rows()).toEqual(before);
  });

  test('in scope alone are looked at', async () => {
    const stack = await newStack(service);
    const [inside, outside] = [unique.packageName(), unique.packageName()];
    await stack.sync(`${inside}@1.0.0`, `${outside}@1.0.0`);
    await store(inside, unique.advisoryId(), '0', '2.0.0');
    await store(outside, unique.advisoryId(), '0', '2.0.0');
    expect(await reassess(stack, [])).toEqual(unchanged);
    expect(await reassess(stack, [{ ecosystem: 'npm', package_name: inside }])).toEqual({ ...unchanged, opened: 1 });
    expect(await reassess(stack, [{ ecosystem: 'PyPI', package_name: outside }])).toEqual(unchanged);
    expect(await reassess(stack)).toEqual({ ...unchanged, opened: 1 });
  });

  test('stay acknowledged over unrelated syncs and changed facts; a return takes the acknowledgement away', async () => {
    const stack = await newStack(service);
    const [name, id] = [unique.packageName(), unique.advisoryId()];
    await store(name, id, '0', '2.0.0');
    await stack.sync(`${name}@1.0.0`);
    const [alert] = await stack.alerts();
    await stack.call('POST', `/${alert?.id}/acknowledge`, { note: 'seen' });
    await stack.sync(`${name}@1.0.0`, `${unique.packageName()}@1.0.0`);
    await stack.sync(`${name}@1.1.0`);
    await store(name, id, '0', '3.0.0');
    expect(await reassess(stack)).toEqual({ ...unchanged, updated: 1 });
    expect(await stack.alerts()).toMatchObject([
      { status: 'acknowledged', acknowledged: { note: 'seen' }, versions: ['1.1.0'], safe_version: '3.0.0' },
    ]);
    await stack.sync();
    expect(await stack.alerts()).toMatchObject([{ status: 'resolved', acknowledged: { note: 'seen' } }]);
    await stack.sync(`${name}@1.1.0`);
    expect(await stack.alerts()).toMatchObject([{ status: 'open', acknowledged: null }]);
  });

  test('are matched over every source, and by the name that the registry compares', async () => {
    const stack = await newStack(service);
    const name = unique.packageName();
    await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0'), {}, 'PyPI');
    const spelled = name.toUpperCase().replaceAll('-', '_');
    const sync = (source: string, version: string) =>
      service.call(stack.key, 'POST', `/api/projects/${stack.projectId}/tech-stack/sync`, {
        source,
        packages: [{ ecosystem: 'PyPI', name: spelled, version }],
      });
    await sync('one', '1.0');
    await sync('two', '1.1');
    const matched = { ecosystem: 'PyPI', name: spelled };
    expect(await stack.alerts()).toMatchObject([{ versions: ['1.0', '1.1'], package: matched }]);
  });

  test('are right when two reassess one project at once', async () => {
    const stack = await newStack(service);
    const names = Array.from({ length: 20 }, () => unique.packageName());
    await stack.sync(...names.map((name) => `${name}@1.0.0`));
    for (const name of names) await store(name, unique.advisoryId(), '0', '2.0.0');
    const counts = await Promise.all([reassess(stack), reassess(stack), reassess(stack)]);
    expect(counts.map(({ opened }) => opened).sort((a, b) => a - b)).toEqual([0, 0, 20]);
    expect(await stack.alerts()).toHaveLength(20);
  });

  test('of a project that is gone are none', async () => {
    const stack = await newStack(service);
    await service.call(stack.key, 'DELETE', `/api/projects/${stack.projectId}`);
    expect(await reassess(stack)).toEqual(unchanged);
  });

  test('of a package with more advisories than one batch holds are all there', async () => {
    const stack = await newStack(service);
    const [first, second] = [unique.packageName(), unique.packageName()];
    const count = 2_500;
    await service.database.system(async (tx) => {
      for (const name of [first, second]) {
        await sql`insert into advisories (id, modified, summary, cves, aliases, malicious, "references", content_hash)
          select ${name} || '-' || n, now(), 'any', '{}', '{}', false, '{}', '' from generate_series(1, ${count}::int) n`.execute(
          tx,
        );
        await sql`insert into advisory_packages (advisory_id, ecosystem, package_name, affected, symbols)
          select ${name} || '-' || n, 'npm', ${name}, ${JSON.stringify(advisory('x', '0', '2.0.0').affected)}, '{}'
          from generate_series(1, ${count}::int) n`.execute(tx);
      }
    });
    expect(await stack.sync(`${first}@1.0.0`, `${second}@1.0.0`)).toMatchObject({ alerts: { opened: 2 * count } });
    expect(await reassess(stack)).toEqual(unchanged);
    expect(await stack.sync()).toMatchObject({ alerts: { resolved: 2 * count } });
  });
});
