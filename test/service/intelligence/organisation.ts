import { randomUUID } from 'node:crypto';
import { loadFeed } from '../../../src/service/feeds/load.js';
import { reconcileWith } from '../../../src/service/feeds/load-context.js';
import type { LoadReport } from '../../../src/service/feeds/load-report.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { textAt } from '../../support/at.js';
import type { TestOrganisation, TestService } from '../../support/service.js';
import { feedFile, ndjson } from '../feeds/feed-files.js';

/** Loads records as `postern feeds load` does, and brings all alerts up to date. */
export function loadRecords(service: TestService, ...records: readonly object[]): Promise<LoadReport> {
  return loadCovering(service, [], ...records);
}

/** The same, as a feed that has all advisories of these ecosystems; its content is of the newest record's day. */
export async function loadCovering(
  { database }: TestService,
  covers: readonly Ecosystem[],
  ...records: readonly object[]
): Promise<LoadReport> {
  const file = await feedFile(`${randomUUID()}.ndjson`, ndjson(records));
  const request = { kind: 'osv', file, part: file.name, onBad: 'refuse', validator: null, covers } as const;
  return loadFeed({ database, reconcile: reconcileWith(database) }, request);
}

export function get(
  { call }: TestService,
  { readKey }: TestOrganisation,
  path: string,
): ReturnType<TestService['call']> {
  return call(readKey, 'GET', path);
}

/** A project of this name; answers its id. */
export async function newProject({ call }: TestService, { writeKey }: TestOrganisation, name: string): Promise<string> {
  const { body } = await call(writeKey, 'POST', '/api/projects', { name });
  return textAt(body, 'id');
}

/** Tracks a package; answers the item's id. */
export async function track(
  { call }: TestService,
  { writeKey }: TestOrganisation,
  projectId: string,
  item: { readonly ecosystem: string; readonly name: string; readonly version: string },
): Promise<string> {
  const { body } = await call(writeKey, 'POST', `/api/projects/${projectId}/tech-stack`, item);
  return textAt(body, 'id');
}

export const unique = {
  name: () => `pkg-${randomUUID()}`,
  cve: () => `CVE-1991-${Math.floor(Math.random() * 1e15) + 1000}`,
};

/** An OSV record of a package, affected below 2.0.0. */
export function record(id: string, name: string, fields: object = {}, ecosystem = 'npm') {
  return {
    id,
    modified: '2025-01-02T00:00:00Z',
    published: '2025-01-01T00:00:00Z',
    summary: `summary of ${id}`,
    affected: [
      {
        package: { ecosystem, name },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
        database_specific: {},
      },
    ],
    ...fields,
  };
}

export function cvssOf(vector: string) {
  return { severity: [{ type: 'CVSS_V3', score: `CVSS:3.1/${vector}` }] };
}
