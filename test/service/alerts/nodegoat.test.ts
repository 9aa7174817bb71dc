import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reassessProject } from '../../../src/service/assessment/reassess-project.js';
import { toRow } from '../../../src/service/feeds/advisory-rows.js';
import { writeAdvisories } from '../../../src/service/feeds/load-osv.js';
import { toAdvisory } from '../../../src/service/matching/advisory.js';
import { osvRecordSchema } from '../../../src/service/matching/osv-record.js';
import { hasData } from '../../support/data.js';
import { startService, type TestService } from '../../support/service.js';
import { readPackageLock } from '../matching/lock-packages.js';
import { naivePairs } from '../matching/naive-matcher.js';
import { readRecords } from '../matching/records.js';
import { newStack } from './stack.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe.skipIf(!hasData)('NodeGoat’s lock file', () => {
  test('opens the 131 alerts that a matcher written apart finds', async () => {
    const records = readRecords('ghsa-npm');
    // Other tests share the database: these advisories and packages carry a prefix of their own.
    const prefix = `${randomUUID()}-`;
    const advisories = records.map((record) => {
      const read = toAdvisory(osvRecordSchema.parse(record));
      return {
        ...read,
        id: prefix + read.id,
        packages: read.packages.map((each) => ({ ...each, name: prefix + each.name })),
      };
    });
    await service.database.system((tx) => writeAdvisories(tx, advisories.map(toRow)));
    const packages = readPackageLock('lockfiles/nodegoat/package-lock.json');
    const stack = await newStack(service);
    const wanted = packages.map(({ name, version }) => ({ ecosystem: 'npm', name: prefix + name, version }));
    const answer = await service.call(stack.key, 'POST', `/api/projects/${stack.projectId}/tech-stack/sync`, {
      source: 'package-lock.json',
      packages: wanted,
    });
    const distinct = new Set(packages.map(({ name, version }) => `${name} ${version}`)).size;
    expect(answer).toMatchObject({ status: 200, body: { added: distinct, alerts: { opened: 131 } } });
    const found = (await stack.rows()).map(
      (row) => `${row.vulnerability_id.replace(prefix, '')} ${row.package_name.replace(prefix, '')}`,
    );
    expect(found.sort()).toEqual([...naivePairs('npm', packages, records)].sort());
    const again = await service.database.tenant(stack.organisation.id, (tx) =>
      reassessProject(tx, stack.project, new Date()),
    );
    expect(again).toEqual({ opened: 0, reopened: 0, resolved: 0, updated: 0 });
    await service.database.system((tx) => tx.deleteFrom('advisories').where('id', 'like', `${prefix}%`).execute());
  });
});
