import { namedComponents, toComponent } from './components.js';
import { urnOf } from './content-name.js';
import type { Inventory } from './inventory.js';
import { toVulnerability } from './vulnerabilities.js';
import { analyseAlerts } from './vulnerability-analysis.js';

export type CycloneDxDocument = ReturnType<typeof cycloneDxDocument>;

/**
 * A project's CycloneDX 1.6 document (https://cyclonedx.org/docs/1.6/json/), with its vulnerabilities where they are asked
 * for. The same inventory gives the same bytes: `timestamp` is the newest change that the document tells of, and the serial
 * number a name of the content.
 *
 * The dependency graph has the direct dependencies alone: a tech stack does not know what depends on what below them. What
 * is not in the graph has unknown dependencies, by CycloneDX's own rule.
 */
export function cycloneDxDocument(inventory: Inventory, telling: 'components' | 'vulnerabilities') {
  const { project, items, alerts, changedAt } = inventory;
  const projectRef = `project:${project.id}`;
  const components = namedComponents(items);
  const direct = components.filter((component) => component.direct === true);
  const body = {
    version: 1,
    metadata: {
      timestamp: changedAt.toISOString(),
      tools: { components: [{ type: 'application', name: 'postern' }] },
      component: {
        type: 'application',
        'bom-ref': projectRef,
        name: project.name,
        ...(project.repo !== null && { externalReferences: [{ type: 'vcs', url: asReference(project.repo) }] }),
      },
    },
    components: components.map(toComponent),
    dependencies: direct.length === 0 ? [] : [{ ref: projectRef, dependsOn: direct.map(({ purl }) => purl) }],
    compositions: [{ aggregate: completenessOf(components), dependencies: [projectRef] }],
    ...(telling === 'vulnerabilities' && {
      vulnerabilities: analyseAlerts(alerts, components).map((each) => toVulnerability(each, projectRef)),
    }),
  };
  const kind = { bomFormat: 'CycloneDX', specVersion: '1.6' } as const;
  return { ...kind, serialNumber: urnOf(body), ...body };
}

/** Whether the project's direct dependencies are all known to be such. */
function completenessOf(components: readonly { readonly direct: boolean | null }[]): string {
  if (components.every(({ direct }) => direct !== null)) return 'complete';
  return components.some(({ direct }) => direct === true) ? 'incomplete' : 'unknown';
}

/** The address as RFC 3987 wants it: what a URL parser forgives is encoded. */
function asReference(url: string): string {
  return new URL(url).href.replace(/[[\]{}|\\^`"<>\s]/g, (sign) => encodeURIComponent(sign));
}
