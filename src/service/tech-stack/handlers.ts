import type { Handlers } from '../api/handler.js';
import { listCoverage } from '../coverage/domain-coverage.js';
import { inScope } from '../db/scope.js';
import { invalidField } from '../http/api-error.js';
import { offsetOf, pageAnswer } from '../http/page.js';
import { findProject } from '../projects/find-project.js';
import { addItem, removeItem, updateItem } from './change-item.js';
import { readSbom } from './cyclonedx.js';
import { readGivenPackages } from './given-packages.js';
import { toItems } from './item-row.js';
import { replaceSource } from './replace-source.js';
import { defaultSource, packagesOf } from './sbom-packages.js';

export const techStackHandlers: Handlers['techStack'] = {
  async list(ctx, { project_id, ...paging }) {
    const { tx, organisationId } = ctx;
    await findProject(ctx, project_id);
    const own = tx.selectFrom('tech_stack_items').where(inScope({ organisationId, projectId: project_id }));
    const { total } = await own.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const rows = await own
      .selectAll()
      .orderBy('name')
      .orderBy('version')
      .orderBy('id')
      .limit(paging.page_size)
      .offset(offsetOf(paging))
      .execute();
    const scope = { organisationId, projectId: project_id };
    const coverage = await listCoverage(tx, total, { scope, domain: 'dependencies' }, ctx.now);
    return { ...pageAnswer(paging, total, await toItems(tx, rows)), coverage };
  },

  add: addItem,
  update: updateItem,
  remove: removeItem,

  sync: {
    async read({ project_id, source, packages }) {
      const replacement = {
        projectId: project_id,
        source,
        packages: readGivenPackages(packages),
        action: 'tech_stack.sync',
      } as const;
      return (ctx) => replaceSource(ctx, replacement);
    },
  },

  uploadSbom: {
    async read({ project_id, source, document }) {
      const sbom = readSbom(document);
      if (sbom === null) throw invalidField('document', 'not_cyclonedx');
      const { packages, skipped } = packagesOf(sbom);
      const replacement = {
        projectId: project_id,
        source: source ?? defaultSource(sbom),
        packages,
        action: 'tech_stack.upload_sbom',
      } as const;
      return async (ctx) => ({ ...(await replaceSource(ctx, replacement)), skipped: [...skipped] });
    },
  },
};
