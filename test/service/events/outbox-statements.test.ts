import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markTenant } from '../../../src/service/db/transactions.js';
import { emitEvents } from '../../../src/service/events/outbox.js';
import { startService, type TestService } from '../../support/service.js';
import { newOrganisationWithProject } from '../projects/new-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Statements that an event needs in a project with so many webhooks, and the webhooks that get it. */
async function emitted(webhooks: number) {
  const { organisation, key, projectId } = await newOrganisationWithProject(service);
  const organisationId = organisation.id;
  for (let n = 0; n < webhooks; n += 1) {
    const webhook = { kind: 'generic', name: `number ${n}`, url: 'https://example.com/', events: ['scan.finished'] };
    const { status } = await service.call(key, 'POST', `/api/projects/${projectId}/webhooks`, webhook);
    expect(status).toBe(200);
  }
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const findings = { total: 0, new: 0, reopened: 0, fixed: 0, unchanged: 0, suppressed: 0 };
  const scan = { id: 'job_1', domain: 'code', source: 'shop', status: 'done', findings } as const;
  const event = { type: 'scan.finished', data: { scan: { ...scan, tiers: { red: 0, yellow: 0, green: 0 } } } } as const;
  await service.database.tenant(organisationId, (tx) => {
    const counted = tx.withPlugin(counting);
    markTenant(counted, { changeSet: 0, projectIds: null });
    return emitEvents(counted, { organisationId, projectId }, [event], new Date());
  });
  const rows = await service.database.system((tx) =>
    tx
      .selectFrom('webhook_deliveries')
      .select(['id', 'webhook_id', 'event', 'status'])
      .where('organisation_id', '=', organisationId)
      .execute(),
  );
  expect(rows.every(({ event: type, status }) => type === 'scan.finished' && status === 'queued')).toBe(true);
  return { statements, webhooks: new Set(rows.map(({ webhook_id }) => webhook_id)).size, deliveries: rows.length };
}

test('an event for many webhooks is queued by as many statements as for one', async () => {
  const one = await emitted(1);
  expect(one).toMatchObject({ webhooks: 1, deliveries: 1 });
  expect(await emitted(12)).toEqual({ statements: one.statements, webhooks: 12, deliveries: 12 });
});
