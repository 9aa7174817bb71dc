import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FixPlan, planText } from '../../../src/reach/plan/plan-text.js';
import { advisory, storeAdvisory, unique } from '../../service/alerts/advisories.js';
import { newStack } from '../../service/alerts/stack.js';
import { ownDatabase } from '../../support/own-database.js';
import { publishedFixes } from '../../support/published-fixes.js';
import { startService, type TestService } from '../../support/service.js';
import { recordingService } from '../recording-service.js';
import { key, runReach } from '../run-reach.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ database: await ownDatabase() });
  await publishedFixes(service.database);
});
afterAll(async () => {
  await service.close();
  await service.database.close();
});

test('prints the plan of a project for people, and as JSON', async () => {
  const name = unique.packageName();
  await storeAdvisory(service.database, name, advisory(unique.advisoryId(), '0', '2.0.0', { cves: [unique.cve()] }));
  const stack = await newStack(service);
  const packages = [{ purl: `pkg:npm/${name}@1.0.0`, direct: true, dependencies: [] }];
  const body = { source: 'shop:package-lock.json', packages };
  const path = `/api/projects/${stack.projectId}/tech-stack/sync`;
  expect((await service.call(stack.key, 'POST', path, body)).status).toBe(200);
  const env = { SERVICE_API_URL: service.url, SERVICE_API_KEY: stack.key };
  const shown = await runReach(['plan', '--project', stack.projectId], env);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(shown.stdout).toContain('1 upgrade closes 1 of 1 open alert; 0 stay open.\n');
  expect(shown.stdout).toContain(`1. ${name}: closes 1, runtime\n   1.0.0 -> 2.0.0 (major; direct dependency)\n`);
  expect(shown.stdout).toContain(`     shop:package.json: "${name}": "2.0.0"\n`);
  const json = await runReach(['plan', '--project', stack.projectId, '--limit', '1', '--json'], env);
  expect(JSON.parse(json.stdout)).toMatchObject({ upgrades: [{ package: name }], proof: { open: 1, left: 0 } });
});

test('says what is wrong: a limit, a project, no key', async () => {
  const stack = await newStack(service);
  const env = { SERVICE_API_URL: service.url, SERVICE_API_KEY: stack.key };
  expect(await runReach(['plan', '--project', 'p', '--limit', '51'], env)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--limit'),
  });
  expect(await runReach(['plan'], env)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--project') });
  expect(await runReach(['plan', '--project', 'prj_none'], env)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Check --project.'),
  });
  expect(await runReach(['plan', '--project', 'p'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('SERVICE_API_KEY'),
  });
});

test('asks for the limit, and follows no answer of another form', async () => {
  const { url, received } = await recordingService({ status: 200, body: { upgrades: 'none' } });
  const env = { SERVICE_API_URL: url, SERVICE_API_KEY: key };
  expect(await runReach(['plan', '--project', 'p', '--limit', '7'], env)).toMatchObject({ exitCode: 1, stdout: '' });
  expect(received[0]).toMatchObject({ method: 'GET', url: '/api/projects/p/remediation/plan?limit=7' });
});

describe('a plan as text', () => {
  const coverage = { status: 'unknown', domains: [], feeds: [], known: true, gaps: ['npm: its feed is old'] } as const;
  const plan: FixPlan = {
    upgrades: [
      {
        ...{
          ecosystem: 'npm',
          package: 'deep\u001b[31m',
          scope: null,
          more_steps: 2,
          fixes: ['qs', 'send'],
          more_fixes: 1,
          closes: 3,
          may_close: 2,
          leaves: 1,
        },
        ...{ known_exploited: 1, priority: 73.14, cves: [], sites: { total: 5, first: ['a.js:1'] } },
        steps: [
          {
            from: '1.0',
            to: '1.1',
            status: 'unverified',
            jump: 'unknown',
            how: 'unknown',
            all_versions: true,
            brought_by: 'pkg:npm/p@1',
            edits: [],
            more_files: 1,
          },
        ],
      },
    ],
    unnamed: { upgrades: 4, closes: 9 },
    refresh: {
      ...{ packages: ['ws', 'debug'], more_packages: 3, closes: 8, may_close: 1 },
      ...{ known_exploited: 1, priority: null, cves: ['CVE-9'] },
    },
    run: [
      { lockfile: 'shop:package-lock.json', delete_entries: ['ws@^7'], commands: ['npm install', 'npm update deep'] },
    ],
    stays_open: {
      total: 7,
      worst: [
        {
          ...{ alert_id: 'a', vulnerability: 'CVE-1', package: 'other', versions: ['1.0.0'], tier: 'RED' },
          ...{ why: 'newer_parent', to: null, bundled_in: null },
        },
        {
          ...{ alert_id: 'b', vulnerability: 'CVE-2', package: 'deep', versions: ['2.0.0'], tier: 'GREEN' },
          ...{ why: 'bundled', to: null, bundled_in: 'pkg:npm/npm@6.0.0' },
        },
      ],
    },
    base_images: {
      items: [
        {
          ...{
            image_id: 'i',
            image: 'shop:1',
            from: 'node:18',
            to: 'node:22',
            delta: { red: -3, yellow: 1, green: 0 },
          },
          ...{ why: 'newer', edit: { file: 'Dockerfile', line: 1, change: 'FROM node:22' } },
        },
      ],
      ...{ without_advice: 0, not_asked: 0 },
    },
    proof: { open: 30, closes: 12, may_close: 5, left: 13, not_planned: 2 },
    coverage: { ...coverage, domains: [], feeds: [], gaps: [...coverage.gaps] },
  };

  test('says all that is not in the list, and no terminal obeys it', () => {
    const text = planText(plan);
    expect(text).not.toContain('\u001b');
    expect(text.split('\n')).toEqual([
      'A refresh and 5 upgrades close 12 of 30 open alerts; 5 may close; 11 stay open; 2 more were not planned.',
      '',
      'First, with no file to edit: closes 8, may close 1, 1 known exploited',
      '   newer inside the ranges: ws, debug and 3 more',
      '',
      '1. deep [31m: closes 3, may close 2, 1 known exploited, EffectivePriority 73.1, leaves 1',
      '   brings a good qs, send and 1 more',
      '   1.0 -> 1.1 (size of the step not known; direct or not: not known, by pkg:npm/p@1)',
      '     nothing shows that 1.1 was published: look before the edit',
      '     this replaces all its installed versions',
      '     which file to change is not known',
      '     and 1 file more',
      '   and 2 versions more',
      '   imported in a.js:1 and 4 more places',
      '',
      'and 4 upgrades more, which close 9 (--limit names more)',
      '',
      'Base images:',
      '  shop:1: node:18 -> node:22 (RED -3, YELLOW +1, GREEN 0); Dockerfile:1: FROM node:22',
      '',
      'Then, beside shop:package-lock.json:',
      '  delete its entry of "ws@^7"',
      '  npm install',
      '  npm update deep',
      '',
      'Stays open:',
      '  RED CVE-1 other 1.0.0: only a newer version of what brings it in can fix it',
      '  GREEN CVE-2 deep 2.0.0: it comes in the archive of another package, pkg:npm/npm@6.0.0',
      '  and 5 more',
      '  and 2 alerts beyond the bound of one plan',
      '',
      'Not known:',
      '  npm: its feed is old',
      '',
      'What the new versions bring in besides is not known before the next reach sync.',
      '',
    ]);
  });
});
