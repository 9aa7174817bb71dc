import type { Database } from '../../../src/service/db/database.js';
import type { TestService } from '../../support/service.js';

const repo = encodeURIComponent('https://example.com/shop');

/** A SARIF report of one finding for each number. `level` decides the severity, and the text names a CVE. */
export function sarif(numbers: readonly number[], level: 'error' | 'warning' = 'warning') {
  const results = numbers.map((n) => ({
    ruleId: `rule-${n % 7}`,
    level,
    message: { text: `Finding ${n} is about CVE-2024-${1000 + (n % 5)}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: `src/file-${n}.ts` }, region: { startLine: n + 1 } } }],
  }));
  return { version: '2.1.0', runs: [{ tool: { driver: { name: 'checker' } }, results }] };
}

export const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

export const reportsPath = (projectId: string) => `/api/projects/${projectId}/sast/reports?source_repo=${repo}`;

/** All that somebody can read of a project's code findings, over HTTP. */
export async function readAll(service: TestService, key: string, projectId: string): Promise<unknown> {
  const get = async (path: string) => {
    const { status, body } = await service.call(key, 'GET', path);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return withoutClock(body);
  };
  const pages: unknown[] = [];
  for (const page of [1, 2, 3, 4]) {
    pages.push(await get(`/api/projects/${projectId}/sast/findings?state=all&page_size=100&page=${page}`));
  }
  return {
    pages,
    open: await get(`/api/projects/${projectId}/sast/findings?page_size=100`),
    severe: await get(`/api/projects/${projectId}/sast/findings?page_size=100&severity=high`),
    jobs: await get(`/api/projects/${projectId}/sast/scan-jobs`),
    summary: await get('/api/posture/code/summary'),
    diff: await get('/api/posture/code/diff?window_days=7'),
    risks: await get('/api/posture/code/risks'),
    exposed: await get('/api/intelligence/exposed?cve=CVE-2024-1001&page_size=100'),
    audit: await get('/api/org/audit-log?page_size=100'),
  };
}

/** An answer without the time to ask from next time, which moves on by itself, and without cursors, which carry it. */
export function withoutClock(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value: unknown) => (/^(?:as_of|next_cursor)$/.test(name) ? undefined : value)),
  );
}

/** A database that calls back after each transaction of a landing. What the callback throws is the transaction's error. */
export function stepped(database: Database, afterStep: () => Promise<void>): Database {
  return {
    ...{
      requestWaitMs: database.requestWaitMs,
      oneTransactionMs: 0,
      system: (work) => database.system(work),
      statements: (work, lane) => database.statements(work, lane),
      read: (tenant, work, options) => database.read(tenant, work, options),
      close: () => database.close(),
      share: () => database.share(),
      callersRevision: () => database.callersRevision(),
      load: () => database.load(),
    },
    async tenant(organisationId, work, options) {
      const result = await database.tenant(organisationId, work, options);
      if (options?.changeSet !== undefined) await afterStep();
      return result;
    },
  };
}
