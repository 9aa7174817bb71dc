import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';
import { newScannedProject } from '../findings/scanned-project.js';
import { alert, site, zap } from '../scanners/zap/zap-report.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const shop = 'https://shop.example.com';

/** A project with one target and calls for hosted scans of it. */
async function newTarget() {
  const project = await newScannedProject(service);
  const { body } = await project.call('POST', '/dast/targets', { url: `${shop}/app`, name: 'shop' });
  const targetId = textAt(body, 'id');
  const jobs = '/dast/server-scan-jobs';
  return {
    ...project,
    targetId,
    queue: async (mode = 'full') => {
      const answer = await project.call('POST', jobs, { target_id: targetId, mode });
      return textAt(answer.body, 'id');
    },
    claim: (runner = 'runner-1') => project.call('POST', `${jobs}/claim`, { runner }),
    fail: (id: string) => project.call('POST', `${jobs}/${id}/fail`, { error: 'the site did not answer' }),
    jobs: async () => (await project.call('GET', jobs)).body,
    targets: async () => (await project.call('GET', '/dast/targets')).body,
  };
}

describe('a target', () => {
  test('is added, listed by name, and removed', async () => {
    const { call, targets, targetId, audit } = await newTarget();
    const added = await call('POST', '/dast/targets', {
      url: 'https://me:hunter2@Blog.example.com#top',
      name: 'Blog',
      environment: 'staging',
    });
    expect(added).toMatchObject({
      status: 200,
      body: { url: 'https://blog.example.com/', name: 'Blog', environment: 'staging', last_scanned_at: null },
    });
    expect(await targets()).toMatchObject({ total: 2, items: [{ name: 'Blog' }, { name: 'shop' }] });
    expect(await call('DELETE', `/dast/targets/${targetId}`)).toMatchObject({
      status: 200,
      body: { id: targetId, deleted: true },
    });
    expect(await targets()).toMatchObject({ total: 1, items: [{ name: 'Blog' }] });
    expect(await audit('dast_target.remove')).toMatchObject([{ before: { url: `${shop}/app`, name: 'shop' } }]);
    expect(JSON.stringify(await audit('dast_target.add'))).not.toContain('hunter2');
  });

  test('is registered once', async () => {
    const { call } = await newTarget();
    expect(await call('POST', '/dast/targets', { url: `${shop}/app#x`, name: 'again' })).toMatchObject({
      status: 409,
      body: { code: 'conflict', reason: 'target_known' },
    });
  });

  test.each(['ftp://shop.example.com', 'shop', 'javascript:alert(1)'])('is no %s', async (url) => {
    const { call } = await newTarget();
    expect(await call('POST', '/dast/targets', { url, name: 'x' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'url' }] },
    });
  });

  test('was last scanned when a report of its site came, and its findings outlive it', async () => {
    const { call, targets, targetId, uploadZap, appFindings } = await newTarget();
    await uploadZap(zap(site('https://other.example.com', alert('1'))));
    expect(await targets()).toMatchObject({ items: [{ last_scanned_at: null }] });
    await uploadZap(zap(site(shop, alert('1'))));
    expect(await targets()).toMatchObject({ items: [{ last_scanned_at: expect.stringMatching(/Z$/) }] });
    await call('DELETE', `/dast/targets/${targetId}`);
    expect(await appFindings()).toMatchObject({ total: 2 });
  });

  test('of another project does not exist', async () => {
    const [own, other] = [await newTarget(), await newTarget()];
    const notFound = { status: 404, body: { resource: 'target' } };
    expect(await own.call('DELETE', `/dast/targets/${other.targetId}`)).toMatchObject(notFound);
    const body = { target_id: other.targetId };
    expect(await own.call('POST', '/dast/server-scan-jobs', body)).toMatchObject(notFound);
    expect(await service.call(own.key, 'GET', `${other.path}/dast/targets`)).toMatchObject({
      status: 404,
      body: { resource: 'project' },
    });
  });
});

describe('a hosted scan', () => {
  test('is queued, claimed and finished by its report', async () => {
    const { queue, claim, jobs, uploadZap, appJobs, audit } = await newTarget();
    const id = await queue();
    expect(await jobs()).toMatchObject({
      items: [{ id, status: 'queued', mode: 'full', target_url: `${shop}/app`, started_at: null, finished_at: null }],
    });
    expect(await claim()).toMatchObject({ status: 200, body: { job: { id, status: 'running' } } });
    expect(await claim()).toMatchObject({ status: 200, body: { job: null } });

    const report = zap(site('http://ads.example.com', alert('9')), site(shop, alert('1', '3')));
    const uploaded = await uploadZap(report, `?server_scan_job_id=${id}`);
    expect(await jobs()).toMatchObject({
      total: 1,
      items: [{ id, status: 'done', tiers: { red: 1, yellow: 0, green: 0 }, error: null }],
    });
    const { items } = await appJobs();
    expect(items.map(({ mode, target_url }) => [mode, target_url]).sort()).toEqual([
      ['full', 'http://ads.example.com'],
      ['full', shop],
    ]);
    expect(items.map((job) => job.id)).toContain(uploaded.scan_job_id);
    expect(items.every(({ started_at }) => started_at !== null)).toBe(true);
    const told = [await audit('dast_scan.queue'), await audit('dast_scan.claim')];
    expect(told).toMatchObject([[{ target_id: id }], [{ target_id: id, after: { runner: 'runner-1' } }]]);

    expect(await uploadZap(report, `?server_scan_job_id=${id}`)).toMatchObject({ duplicate: true });
  });

  test('that found what an earlier scan found is finished too', async () => {
    const { queue, claim, jobs, uploadZap } = await newTarget();
    await uploadZap(zap(site(shop, alert('1'))));
    const id = await queue('baseline');
    await claim();
    expect(await uploadZap(zap(site(shop, alert('1'))), `?server_scan_job_id=${id}`)).toMatchObject({
      duplicate: true,
    });
    expect(await jobs()).toMatchObject({ items: [{ status: 'done', tiers: { yellow: 1 } }] });
  });

  test('goes to one runner each, oldest first', async () => {
    const { queue, claim } = await newTarget();
    const ids = [await queue(), await queue('api'), await queue('baseline')];
    expect(await claim()).toMatchObject({ body: { job: { id: ids[0] } } });
    const claimed = await Promise.all([claim('a'), claim('b'), claim('c')]);
    const jobs = claimed.map(({ body }) => JSON.stringify(body).match(/"id":"(\w+)"/)?.[1] ?? 'none');
    expect(jobs.sort()).toEqual([...ids.slice(1), 'none'].sort());
  });

  test('fails once, with its reason', async () => {
    const { queue, claim, fail, jobs, audit } = await newTarget();
    const id = await queue();
    await claim();
    expect(await fail(id)).toMatchObject({
      status: 200,
      body: { id, status: 'failed', error: 'the site did not answer', finished_at: expect.any(String) },
    });
    expect(await fail(id)).toMatchObject({ status: 409, body: { reason: 'job_over' } });
    expect(await jobs()).toMatchObject({ items: [{ status: 'failed' }] });
    expect(await audit('dast_scan.fail')).toHaveLength(1);
  });

  test('that is over takes no other report', async () => {
    const { queue, fail, tryZap, appFindings } = await newTarget();
    const id = await queue();
    await fail(id);
    const report = zap(site(shop, alert('1')));
    expect(await tryZap(report, `?server_scan_job_id=${id}`)).toMatchObject({
      status: 409,
      body: { reason: 'job_over' },
    });
    expect(await appFindings()).toMatchObject({ total: 0 });
  });

  test('is not finished by a report of another site', async () => {
    const { queue, claim, jobs, tryZap, appFindings } = await newTarget();
    const id = await queue();
    await claim();
    const report = zap(site('https://other.example.com', alert('1')));
    expect(await tryZap(report, `?server_scan_job_id=${id}`)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'server_scan_job_id', reason: 'other_target' }] },
    });
    expect(await jobs()).toMatchObject({ items: [{ status: 'running' }] });
    expect(await appFindings()).toMatchObject({ total: 0 });
  });

  test('that is none, or is an uploaded report’s job, does not exist', async () => {
    const { uploadZap, tryZap, fail } = await newTarget();
    const { scan_job_id } = await uploadZap(zap(site(shop)));
    const notFound = { status: 404, body: { resource: 'scan_job' } };
    for (const id of ['none', scan_job_id]) {
      expect(await fail(id)).toMatchObject(notFound);
      expect(await tryZap(zap(site(shop)), `?server_scan_job_id=${id}`)).toMatchObject(notFound);
    }
  });

  test('is for write keys only', async () => {
    const { organisation, path, targetId } = await newTarget();
    for (const [rest, body] of [
      ['/server-scan-jobs', { target_id: targetId }],
      ['/server-scan-jobs/claim', { runner: 'r' }],
      ['/server-scan-jobs/none/fail', { error: 'e' }],
      ['/targets', { url: shop, name: 'n' }],
      ['/reports', zap(site(shop))],
    ] as const) {
      const answer = await service.call(organisation.readKey, 'POST', `${path}/dast${rest}`, body);
      expect(answer).toMatchObject({ status: 403 });
    }
  });
});
