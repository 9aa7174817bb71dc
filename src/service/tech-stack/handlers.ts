import type { Handlers } from '../api/handler.js';
import { listCoverage } from '../coverage/domain-coverage.js';
import { inScope } from '../db/scope.js';
import { loadPage, pageAnswer } from '../http/page.js';
import { foldedNames, legacyNames } from '../packages/legacy-names.js';
import { findProject } from '../projects/find-project.js';
import { addItem, removeItem, updateItem } from './change-item.js';
import { directKnownOf, readGivenPackages, withLegacyNames } from './given-packages.js';
import { toItems } from './item-row.js';
import { replaceSource, type SyncAnswer } from './replace-source.js';
import { listReportedVulnerabilities } from './reported-vulnerabilities.js';
import { uploadSbom } from './upload-sbom.js';

export const techStackHandlers: Handlers['techStack'] = {
  async list(ctx, { project_id, ...paging }) {
    const { tx, organisationId } = ctx;
    const own = tx.selectFrom('tech_stack_items').where(inScope({ organisationId, projectId: project_id }));
    const [{ total, items: rows }] = await Promise.all([
      loadPage(paging, own.selectAll().orderBy('name').orderBy('version').orderBy('id')),
      findProject(ctx, project_id),
    ]);
    const scope = { organisationId, projectId: project_id };
    const coverage = await listCoverage(tx, total, { scope, domain: 'dependencies' }, ctx.now);
    return { ...pageAnswer(paging, total, await toItems(tx, rows)), coverage };
  },

  add: addItem,
  update: updateItem,
  remove: removeItem,

  sync: {
    async read({ project_id, source, former, force, packages }) {
      const given = await readGivenPackages(packages);
      const folded = foldedNames(packages);
      const contents = { directKnown: directKnownOf(given), unmatched: [], vulnerabilities: [] };
      const action = 'tech_stack.sync';
      const replacement = { projectId: project_id, source, former, force, contents, action } as const;
      return async (ctx) => {
        const legacy = await ctx.landing.step((tx) => legacyNames(tx, folded));
        const synced = { onOpened: () => {}, complete: async () => (answer: SyncAnswer) => answer };
        return replaceSource(ctx, { ...replacement, packages: withLegacyNames(given, legacy) }, synced);
      };
    },
  },

  uploadSbom,
  listReportedVulnerabilities,
};
