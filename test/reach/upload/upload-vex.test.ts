import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notAffected, openVex, tracked, vexProject } from '../../service/vex/vex-project.js';
import { startService, type TestService } from '../../support/service.js';
import { folderWith } from '../folder.js';
import { runReach } from '../run-reach.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('brings a VEX document, and tells what it proposes and what it does not', async () => {
  const project = await vexProject(service);
  const { cve, purl } = await tracked(project);
  const env = { SERVICE_API_URL: service.url, SERVICE_API_KEY: project.organisation.writeKey };
  const upload = (document: unknown, ...more: readonly string[]) =>
    runReach(
      [
        'upload',
        'vex',
        join(folderWith({ vex: JSON.stringify(document) }), 'vex'),
        '--project',
        project.projectId,
        ...more,
      ],
      env,
    );
  const document = openVex([notAffected(cve, { '@id': 'our app' }), notAffected('CVE-1999-0001', { '@id': purl })]);
  const first = await upload(document);
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  expect(first.stdout).toContain('  proposals: 0 new, 0 known, 0 superseded\n  statements: 2, of which 0 taken');
  expect(first.stdout).toContain(
    '  skipped /statements/1/products/0: CVE-1999-0001 is on none of the project’s alerts\n',
  );
  const second = await upload(document, '--product', 'Our App', '--json');
  expect(JSON.parse(second.stdout)).toMatchObject({
    error: null,
    result: { duplicate: true, proposals: { created: 1 }, receipt: { rows: 2, taken: 1, skipped: 1 } },
  });
  expect(await upload({ statements: [] })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('is not a VEX document'),
  });
  expect(await upload(document, '--image', 'x')).toMatchObject({ exitCode: 2 });
  const stray = ['upload', 'sarif', 'x.sarif', '--project', project.projectId, '--product', 'x'];
  expect(await runReach(stray, env)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--product is for vex documents, not for sarif'),
  });
});
