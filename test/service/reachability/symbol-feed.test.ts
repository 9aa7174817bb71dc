import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { analyzeTree } from '../../../src/reach/analysis/analyze-tree.js';
import type { Database } from '../../../src/service/db/database.js';
import type { FeedKind } from '../../../src/service/feeds/feed.js';
import type { FeedEvent } from '../../../src/service/feeds/feed-event.js';
import type { FeedFile } from '../../../src/service/feeds/file-bytes.js';
import { operatorFeedRoutes } from '../../../src/service/feeds/operator-routes.js';
import { requestStatus, uploadFeed } from '../../../src/service/feeds/remote-service.js';
import { folderWith } from '../../reach/folder.js';
import { at } from '../../support/at.js';
import { dataFile, hasData } from '../../support/data.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { feedFile, ndjson } from '../feeds/feed-files.js';
import { readRecords } from '../matching/records.js';
import { projectWithVerdicts } from './project-with-verdicts.js';

const recordFile = () => dataFile('symbols/GHSA-35jh-r3h4-6jhm.json');

/** An application with lodash 4.17.20, which CVE-2021-23337 (`template`) affects. */
const application = (text: string) => ({
  'package.json': '{"name": "app", "main": "index.js", "dependencies": {"lodash": "4.17.20"}}',
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: { '': { dependencies: { lodash: '4.17.20' } }, 'node_modules/lodash': { version: '4.17.20' } },
  }),
  'index.js': text,
});

const usesTemplate = "const _ = require('lodash');\nmodule.exports = _.template('a');\n";
const usesChunk = "const _ = require('lodash');\nmodule.exports = _.chunk([1], 2);\n";

describe.skipIf(!hasData)('the record of GHSA-35jh-r3h4-6jhm, whose advisory names no function', () => {
  let database: Database;
  let service: TestService;
  let dataDir: string;
  let record: Record<string, unknown>;

  beforeAll(async () => {
    database = await ownDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'postern-symbols-'));
    service = await startService({ database, operatorRoutes: operatorFeedRoutes({ database, dataDir }) });
    const advisory = readRecords('osv-npm-recent').find((each) => at(each, 'id') === 'GHSA-35jh-r3h4-6jhm');
    expect(JSON.stringify(advisory)).not.toContain('affected_functions');
    const path = join(dataDir, 'lodash.ndjson');
    await writeFile(path, ndjson([advisory]));
    await upload('osv', { path, name: 'lodash.ndjson' });
    record = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(recordFile(), 'utf8')));
  });
  afterAll(async () => {
    await service.close();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function upload(kind: FeedKind, file: FeedFile): Promise<FeedEvent | undefined> {
    const events: FeedEvent[] = [];
    await uploadFeed({ url: service.url, operatorKey: service.operatorKey }, { kind, file, onBad: 'report' }, (event) =>
      events.push(event),
    );
    return events.at(-1);
  }

  /** Loads records in place of those of the test before. */
  const load = async (...records: object[]) => upload('symbols', await feedFile('mine.ndjson', ndjson(records)));

  /** A record that leaves nothing of the real one. */
  const nothing = {
    id: 'GHSA-2222-2222-2222',
    affected: [{ package: { ecosystem: 'npm', name: 'a' }, symbols: ['b'] }],
    evidence: { source: 'manual', confidence: 'low' },
  };

  async function project(text: string) {
    const made = await projectWithVerdicts(service);
    await made.sync('pkg:npm/lodash@4.17.20');
    const folder = folderWith(application(text));
    const { report } = await analyzeTree({ folder, entries: [], version: '0.1.0', progress: () => {} });
    expect((await made.upload(report)).status).toBe(200);
    const verdict = async () => {
      const [found, ...others] = await made.verdicts();
      expect(others).toEqual([]);
      return {
        usage: found?.evidence.usage.class,
        confidence: found?.evidence.usage.confidence,
        symbols: found?.evidence.usage.symbols,
        named: found?.evidence.usage.vulnerable_symbols,
        reasoning: found?.reasoning,
        score: found?.effective_priority,
      };
    };
    return { ...made, verdict };
  }

  const noneKnown = { usage: 'called', confidence: 'high', symbols: 'none_known', named: [] };

  test('recomputes the verdicts of the projects: `_.template` used, and not used', async () => {
    await load(nothing);
    const used = await project(usesTemplate);
    const unused = await project(usesChunk);
    expect(await used.verdict()).toMatchObject(noneKnown);
    const before = await unused.verdict();
    expect(before).toMatchObject(noneKnown);

    const loaded = await upload('symbols', { path: recordFile(), name: 'GHSA-35jh-r3h4-6jhm.json' });
    expect(loaded).toMatchObject({
      type: 'loaded',
      report: { feed: 'symbols:GHSA-35jh-r3h4-6jhm.json', outcome: 'loaded', counts: { added: 1, bad: 0, skipped: 0 } },
    });
    const called = await used.verdict();
    expect(called).toMatchObject({
      usage: 'called',
      confidence: 'high',
      symbols: 'referenced',
      named: ['lodash.template'],
    });
    expect(called.reasoning).toContain('the vulnerable `lodash.template` is referenced in `index.js:1`');
    const excluded = await unused.verdict();
    expect(excluded).toMatchObject({ usage: 'imported', symbols: 'excluded', named: [] });
    expect(excluded.score).toBeLessThan(before.score ?? 0);

    const written = await unused.written();
    expect(await upload('symbols', { path: recordFile(), name: 'GHSA-35jh-r3h4-6jhm.json' })).toMatchObject({
      report: { outcome: 'same', counts: { unchanged: 1 } },
    });
    expect(await unused.written()).toEqual(written);

    const status = await requestStatus({ url: service.url, operatorKey: service.operatorKey });
    expect(status.feeds.find(({ name }) => name.startsWith('symbols:GHSA'))).toMatchObject({
      records: 1,
      complete: true,
      stale: false,
      covers: [],
      unread: 0,
    });
  });

  test.each([
    ['a fix’s diff alone', { evidence: { source: 'fix_commit', confidence: 'high' } }],
    ['a source that nobody knows', { evidence: { source: 'a guess', confidence: 'high' } }],
    ['no evidence that says its source', { evidence: {} }],
    ['text that no fix confirms', { evidence: { source: 'advisory_text', confidence: 'medium' } }],
    ['a value that is passed on', { trigger: 'data_value' }],
    ['another advisory of the same group of aliases', { id: 'GHSA-r5fr-rjxr-66jc' }],
    ['one of the CVEs that its advisory joins', { id: 'CVE-2026-4800' }],
    [
      'a file of its own',
      {
        affected: [
          { package: { ecosystem: 'npm', name: 'lodash' }, symbols: ['template'], modulePath: 'lodash/template' },
        ],
      },
    ],
  ])('only raises where it comes from %s', async (_, fields) => {
    await load({ ...record, aliases: ['GHSA-35jh-r3h4-6jhm'], ...fields });
    const used = await project(usesTemplate);
    expect(await used.verdict()).toMatchObject({ symbols: 'referenced', named: ['lodash.template'] });
    const unused = await project(usesChunk);
    expect(await unused.verdict()).toMatchObject(noneKnown);
  });

  test('says nothing of other packages and other advisories', async () => {
    const affected = [{ package: { ecosystem: 'npm', name: 'lodash-es' }, symbols: ['template'] }];
    await load({ ...record, affected });
    expect(await (await project(usesTemplate)).verdict()).toMatchObject(noneKnown);
    await load({ ...record, id: 'GHSA-3333-3333-3333', aliases: ['CVE-1990-1234'] });
    expect(await (await project(usesTemplate)).verdict()).toMatchObject(noneKnown);
  });

  test('a method of a class is never excluded by its last name', async () => {
    const affected = [{ package: { ecosystem: 'npm', name: 'lodash' }, symbols: ['Cache.set'] }];
    await load({ ...record, affected });
    expect(await (await project(usesChunk)).verdict()).toMatchObject({
      usage: 'called',
      confidence: 'medium',
      symbols: 'not_excluded',
    });
  });

  test('counts no longer once it has gone from its file', async () => {
    await load(record, nothing);
    const unused = await project(usesChunk);
    expect(await unused.verdict()).toMatchObject({ usage: 'imported' });
    expect(await load(nothing)).toMatchObject({ report: { counts: { removed: 1, unchanged: 1 } } });
    expect(await unused.verdict()).toMatchObject(noneKnown);
  });
});
