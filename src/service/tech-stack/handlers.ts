import type { Handlers } from '../api/handler.js';
import { foldedNames, legacyNames } from '../packages/legacy-names.js';
import { addItem, removeItem, updateItem } from './change-item.js';
import { getDependencies } from './get-dependencies.js';
import { directKnownOf, readGivenPackages, withLegacyNames } from './given-packages.js';
import { listItems } from './list-items.js';
import { replaceSource, type SyncAnswer } from './replace-source.js';
import { listReportedVulnerabilities } from './reported-vulnerabilities.js';
import { uploadSbom } from './upload-sbom.js';

export const techStackHandlers: Handlers['techStack'] = {
  list: listItems,
  getDependencies,
  add: addItem,
  update: updateItem,
  remove: removeItem,

  sync: {
    async read({ project_id, source, former, force, packages, unread = [], tool = null }) {
      const given = await readGivenPackages(packages);
      const folded = foldedNames(packages);
      const contents = { directKnown: directKnownOf(given), unmatched: [], vulnerabilities: [], unread, tool };
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
