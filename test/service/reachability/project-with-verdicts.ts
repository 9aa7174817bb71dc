import { reachability } from '../../../src/procedures/reachability.js';
import type { Plan } from '../../../src/service/auth/caller.js';
import type { TestService } from '../../support/service.js';
import { newProject } from '../projects/new-project.js';
import type { WireReport } from './report.js';

/** A project whose stack, usage reports and verdicts a test changes and reads over HTTP. */
export async function projectWithVerdicts(service: TestService, plan: Plan = 'Business') {
  const organisation = await service.newOrganisation({ plan });
  const projectId = await newProject(service, organisation);
  const path = `/api/projects/${projectId}`;
  const key = organisation.writeKey;
  return {
    organisation,
    projectId,
    path,
    verdictsPath: `${path}/reachability/verdicts`,
    sync: (...purls: string[]) =>
      service.call(key, 'POST', `${path}/tech-stack/sync`, {
        source: 'lock',
        // Whole stacks come and go.
        force: true,
        packages: purls.map((purl) => ({ purl })),
      }),
    expose: (exposure: string) => service.call(key, 'PATCH', path, { exposure }),
    upload: (report: WireReport | unknown) => service.call(key, 'POST', `${path}/reachability/usage-reports`, report),
    async verdicts(query = '') {
      const { body } = await service.call(key, 'GET', `${path}/reachability/verdicts?page_size=100${query}`);
      return reachability.listVerdicts.output.parse(body).items;
    },
    override: (
      verdictId: string,
      body: unknown,
      headers?: Record<string, string>,
      credential = organisation.member.session,
    ) => service.call(credential, 'PUT', `${path}/reachability/verdicts/${verdictId}/override`, body, headers),
    clear: (verdictId: string, credential = organisation.member.session) =>
      service.call(credential, 'DELETE', `${path}/reachability/verdicts/${verdictId}/override`),
    /** The transactions that wrote the project's verdicts and alerts last: the same twice means nothing was written. */
    written: () =>
      service.database.system(async (tx) => {
        const verdicts = await tx
          .selectFrom('verdicts')
          .select(['id', 'revision', 'computed_at'])
          .where('project_id', '=', projectId)
          .orderBy('id')
          .execute();
        const alerts = await tx
          .selectFrom('alerts')
          .selectAll()
          .where('project_id', '=', projectId)
          .orderBy('id')
          .execute();
        return { verdicts, alerts };
      }),
  };
}

export type JudgedProject = Awaited<ReturnType<typeof projectWithVerdicts>>;
