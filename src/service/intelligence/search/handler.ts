import type { Handlers } from '../../api/handler.js';
import { requireAsked } from '../../projects/find-project.js';
import { listScope } from '../../projects/list-scope.js';
import { findFindings } from './find-findings.js';
import { findImages } from './find-images.js';
import { findPackages } from './find-packages.js';
import { findProjects } from './find-projects.js';
import { findVulnerabilities } from './find-vulnerabilities.js';

/** The best few of each kind that has a name with this in it. */
export const search: Handlers['intelligence']['search'] = async (ctx, { q, project_id, group }) => {
  await requireAsked(ctx, project_id);
  const { tx } = ctx;
  const wanted = { ...(await listScope(ctx, { project_id, group })), needle: q.toLowerCase() };
  return {
    projects: withMore(await findProjects(tx, wanted)),
    packages: withMore(await findPackages(tx, wanted)),
    vulnerabilities: withMore(await findVulnerabilities(tx, wanted)),
    images: withMore(await findImages(tx, wanted)),
    findings: withMore(await findFindings(tx, wanted)),
  };
};

function withMore<Results extends { readonly items: readonly unknown[]; readonly total: number }>(found: Results) {
  return { ...found, has_more: found.total > found.items.length };
}
