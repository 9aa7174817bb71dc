import { pino } from 'pino';
import { expect, test } from 'vitest';
import { dailySync } from '../../../src/service/feeds/daily-sync.js';
import { ownDatabase } from '../../support/own-database.js';
import { kevCatalogue, testFolder } from './feed-files.js';
import { startOrigin } from './origin.js';

test('syncs, logs how each feed went, and knows when it was', async () => {
  const database = await ownDatabase();
  try {
    const origin = await startOrigin((req, res) => {
      if (req.url === '/kev.json')
        res.setHeader('etag', '"1"').end(kevCatalogue([{ cveID: 'CVE-2094-0001', dateAdded: '2025-01-01' }]));
      else res.writeHead(404).end();
    });
    const lines: string[] = [];
    const { sync, lastSync } = dailySync({
      database,
      dataDir: await testFolder(),
      logger: pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(line) }),
      origins: [
        { kind: 'epss', part: '', url: `${origin.url}/epss.csv?key=secret` },
        { kind: 'kev', part: '', url: `${origin.url}/kev.json` },
      ],
    });
    expect(await lastSync()).toBeNull();
    const begun = Date.now();
    await sync(new AbortController().signal);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { feed: 'epss', problem: `${origin.url}/epss.csv: answered HTTP 404`, msg: 'feed could not be synced' },
      { feed: 'kev', counts: { added: 1 }, msg: 'feed loaded' },
    ]);
    expect((await lastSync())?.getTime()).toBeGreaterThan(begun - 5000);
  } finally {
    await database.close();
  }
});
