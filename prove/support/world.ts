import * as z from 'zod';
import type { Instance } from './instance.js';
import { largeUpload } from './large-upload.js';
import type { Ids } from './operation.js';
import { advisory, dependencyReport, flawed, openVex, reportsWith } from './reports.js';
import { expectAnswer } from './rest.js';
import type { Tenant } from './tenant.js';

const withId = z.object({ id: z.string() });
const page = z.object({ items: z.tuple([withId], z.unknown()) });
const withVerdict = z.object({ items: z.tuple([z.object({ id: z.string(), verdict: withId })], z.unknown()) });

/** Loads the one advisory that the program's alerts come from. */
export async function loadAdvisory({ url, operatorKey }: Pick<Instance, 'url' | 'operatorKey'>): Promise<void> {
  await expectAnswer(
    url,
    {
      ...{ method: 'PUT', path: '/api/operator/feeds/osv?name=prove.ndjson&covers=npm', credential: operatorKey },
      ...{ body: `${JSON.stringify(advisory)}\n`, headers: { 'content-type': 'application/x-ndjson' } },
    },
    z.unknown(),
  );
}

/** Gives an organisation (Business or Enterprise) one thing of each kind, with its mark in their texts. */
export async function fillTenant(url: string, { mark, writeKey, readKeyId, admin, member }: Tenant): Promise<Ids> {
  const ask = <Schema extends z.ZodType>(schema: Schema, path: string, body?: unknown, credential = writeKey) =>
    expectAnswer(url, { path, credential, ...(body !== undefined && { body }) }, schema);
  const project = await ask(withId, '/api/projects', { name: `Shop ${mark}`, description: `Of ${mark}` });
  const path = `/api/projects/${project.id}`;
  const packages = [{ purl: flawed.purl, direct: true }, { purl: `pkg:npm/inner-${mark}@1.0.0` }];
  await ask(z.unknown(), `${path}/tech-stack/sync`, { source: `${mark}.lock`, packages });
  await ask(z.unknown(), `${path}/reachability/usage-reports`, dependencyReport([flawed.purl]));
  const [alert] = (await ask(withVerdict, `${path}/alerts`)).items;
  await ask(withId, `${path}/alerts/${alert.id}/acknowledge`, { note: `Seen by ${mark}` });
  await ask(z.unknown(), `${path}/vex`, openVex(mark));
  const [proposal] = (await ask(page, `${path}/vex/proposals`)).items;
  const [item] = (await ask(page, `${path}/tech-stack`)).items;
  const { sarif, zap, trivy, cyclonedx } = reportsWith(mark);
  await ask(z.unknown(), `${path}/tech-stack/sbom?source=sbom-${mark}`, cyclonedx);
  await ask(z.unknown(), `${path}/sast/reports?source_repo=https://git.example.com/${mark}`, sarif);
  await ask(z.unknown(), `${path}/dast/reports`, zap);
  await ask(z.unknown(), `${path}/containers/reports?image=acme/${mark}:1`, trivy);
  const [image] = (await ask(page, `${path}/containers/images`)).items;
  const target = await ask(withId, `${path}/dast/targets`, { url: `https://${mark}.example.com`, name: mark });
  const job = await ask(withId, `${path}/dast/server-scan-jobs`, { target_id: target.id });
  const hook = await ask(z.object({ webhook: withId }), `${path}/webhooks`, {
    ...{ kind: 'generic', name: `Hook ${mark}`, url: `https://hooks.example.com/${mark}` },
    events: ['override.changed'],
  });
  const group = await ask(withId, '/api/groups', { name: `Group ${mark}`, owner_id: member.id }, admin.session);
  const assigned = { group: group.id, project_ids: [project.id] };
  await ask(z.unknown(), '/api/groups/assign', assigned, admin.session);
  const groupHook = await ask(z.object({ webhook: withId }), '/api/webhooks', {
    ...{ group: group.id, kind: 'generic', name: `Hook of ${mark}`, url: `https://hooks.example.com/all-${mark}` },
    events: ['override.changed'],
  });
  const invite = await ask(
    z.object({ invite: withId }),
    '/api/org/invites',
    { email: `invited-${mark}@prove.invalid` },
    admin.session,
  );
  const [session] = (await ask(page, '/api/sessions', undefined, member.session)).items;
  const upload = await largeUpload(url, { project: project.id, credential: writeKey, mark });
  return {
    ...{ project: project.id, alert: alert.id, verdict: alert.verdict.id, proposal: proposal.id, item: item.id },
    ...{ image: image.id, target: target.id, scanJob: job.id, webhook: hook.webhook.id, member: member.id },
    ...{ invite: invite.invite.id, apiKey: readKeyId, session: session.id, upload },
    ...{ group: group.id, groupWebhook: groupHook.webhook.id },
  };
}
