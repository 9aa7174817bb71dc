import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database, Transaction } from '../../../src/service/db/database.js';
import { inScope } from '../../../src/service/db/scope.js';
import { ownDatabase } from '../../support/own-database.js';
import { gate } from '../../support/posture-service.js';
import { startService, type TestService } from '../../support/service.js';
import { unique } from '../alerts/advisories.js';
import { newStack } from '../alerts/stack.js';
import { kevCatalogue, ndjson, osvRecord } from '../feeds/feed-files.js';
import { held, startLoad, writtenOrWaiting } from '../feeds/load-beside.js';
import { stepped } from '../landing/code-reports.js';

let database: Database;
/** Writes in steps. */
let writing: TestService;
let afterStep = async () => {};
/** Calls back before each commit. */
let holding: TestService;
let beforeCommit: (tx: Transaction) => Promise<void> = async () => {};
beforeAll(async () => {
  database = await ownDatabase();
  writing = await startService({ database: stepped(database, () => afterStep()) });
  holding = await startService({ database: held(database, (tx) => beforeCommit(tx)) });
});
afterAll(async () => {
  await writing.close();
  await holding.close();
  await database.close();
});

let day = 0;

/** What a new revision of each feed says of a vulnerability, and what the alert on it shows then. */
const news = {
  kev: {
    load: (cve: string) => {
      day += 1;
      const dateReleased = new Date(Date.UTC(2025, 0, day)).toISOString();
      const entry = { cveID: cve, dateAdded: '2025-01-01', dueDate: null };
      return startLoad(database, 'kev', 'kev.json', kevCatalogue([entry], { dateReleased }));
    },
    shown: { kev: { date_added: '2025-01-01' }, tier: 'RED' },
  },
  epss: {
    load: (cve: string) => {
      const rows = `cve,epss,percentile\n${cve},0.9,0.99\n`;
      return startLoad(
        database,
        'epss',
        `${cve}.csv`,
        `#model_version:v9,score_date:2025-08-02T00:00:00+0000\n${rows}`,
      );
    },
    shown: { epss: { probability: 0.9 } },
  },
  osv: {
    load: (cve: string, id: string, name: string) => {
      const revised = osvRecord({ id, aliases: [cve], modified: '2025-02-01T00:00:00Z', summary: 'revised' }, name);
      return startLoad(database, 'osv', `${id}.ndjson`, ndjson([revised]));
    },
    shown: { title: 'revised' },
  },
  /** Nothing was known of the package before. */
  advisory: {
    load: (cve: string, id: string, name: string) =>
      startLoad(database, 'osv', `${id}.ndjson`, ndjson([osvRecord({ id, aliases: [cve] }, name)])),
    shown: { status: 'open' },
  },
} as const;

async function newVulnerability(isKnown: boolean) {
  const cve = `CVE-2097-${1000 + Math.floor(Math.random() * 1e6)}`;
  const [id, name] = [unique.advisoryId(), unique.packageName()];
  if (!isKnown) return { id, cve, name };
  const { ended } = await startLoad(
    database,
    'osv',
    `first-${id}.ndjson`,
    ndjson([osvRecord({ id, aliases: [cve] }, name)]),
  );
  await ended;
  return { id, cve, name };
}

describe.each(['kev', 'epss', 'osv', 'advisory'] as const)('%s, loaded while a stack is written', (feed) => {
  test('after any of its steps, is in the alerts in the end', async () => {
    for (let loadedAt = 1; ; loadedAt += 1) {
      const stack = await newStack(writing);
      const { id, cve, name } = await newVulnerability(feed !== 'advisory');
      let left = loadedAt;
      let loading: Promise<unknown> | undefined;
      afterStep = async () => {
        left -= 1;
        if (left !== 0) return;
        const { ended, written } = await news[feed].load(cve, id, name);
        loading = ended;
        await written;
      };
      await stack.sync(`${name}@1.0.0`);
      afterStep = async () => {};
      if (loading === undefined) {
        expect(loadedAt).toBeGreaterThan(4);
        break;
      }
      await loading;
      expect(await stack.alerts(), `step ${loadedAt}`).toMatchObject([{ cve, ...news[feed].shown }]);
    }
  });

  test('in one transaction, is in the alerts in the end', async () => {
    const stack = await newStack(holding);
    const { id, cve, name } = await newVulnerability(feed !== 'advisory');
    const [assessed, committing] = [gate(), gate()];
    beforeCommit = async (tx) => {
      const item = await tx
        .selectFrom('tech_stack_items')
        .select('id')
        .where(inScope(stack.project))
        .executeTakeFirst();
      if (item === undefined) return;
      assessed.open();
      await committing.opened;
    };
    const adding = stack.add(name, '1.0.0');
    await assessed.opened;
    const { ended, written } = await news[feed].load(cve, id, name);
    await writtenOrWaiting(database, written);
    committing.open();
    expect((await adding).status).toBe(200);
    beforeCommit = async () => {};
    await ended;
    expect(await stack.alerts()).toMatchObject([{ cve, ...news[feed].shown }]);
  });
});
