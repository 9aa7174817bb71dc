import { randomUUID } from 'node:crypto';
import { targetUrl, type World } from '../../conformance/world.js';
import { textAt } from '../../support/at.js';
import type { TestService } from '../../support/service.js';
import { dependency, report } from '../reachability/report.js';
import { result, run, sarif } from '../scanners/sarif/sarif-report.js';
import { trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { alert, site, zap } from '../scanners/zap/zap-report.js';

/** A further project of a world, with a row in every list. Answers its id. */
export async function newFilledProject(
  service: TestService,
  { organisation, intelligence }: World,
  name: string,
): Promise<string> {
  const ask = async (path: string, body: unknown) => {
    const answer = await service.call(organisation.writeKey, 'POST', path, body);
    if (answer.status !== 200) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const id = textAt(await ask('/api/projects', { name, exposure: 'internal' }), 'id');
  const path = `/api/projects/${id}`;
  const purl = `pkg:npm/${intelligence.packageName}@1.0.0`;
  await ask(`${path}/tech-stack/sync`, { source: 'lock', packages: [{ purl }] });
  await ask(`${path}/reachability/usage-reports`, report([dependency(purl, 'imported')]));
  await ask(`${path}/sast/reports?source_repo=https://example.com/${name}`, sarif(run([result(1)])));
  await ask(`${path}/dast/reports`, zap(site(targetUrl, alert('40012', '3'))));
  const target = await ask(`${path}/dast/targets`, { url: targetUrl, name });
  await ask(`${path}/dast/server-scan-jobs`, { target_id: textAt(target, 'id') });
  await ask(`${path}/containers/reports`, trivyReport('acme/node:1', [vulnerability('CVE-1989-1', 'openssl')]));
  await ask(`${path}/webhooks`, { kind: 'generic', name, url: 'https://webhooks.example.com/x' });
  await service.database.system((tx) =>
    tx
      .insertInto('uploads')
      .values({
        ...{ organisation_id: organisation.id, id: `upl_${randomUUID()}`, project_id: id, state: 'done' },
        ...{ procedure: 'sast.uploadReport', phase: 'writing', done: 3, steps: 3, answer: '{}', instance: 'ended' },
        ...{ lease_until: new Date(), received_at: new Date(), finished_at: new Date() },
      })
      .execute(),
  );
  return id;
}
