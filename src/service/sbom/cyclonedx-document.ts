import { namedComponents, toComponent } from './components.js';
import { urnOf } from './content-name.js';
import type { DocumentContents, Inventory } from './inventory.js';
import { toVulnerability } from './vulnerabilities.js';
import { analyzeAlerts } from './vulnerability-analysis.js';

export type CycloneDxDocument = ReturnType<typeof cycloneDxDocument>;

/**
 * A project's CycloneDX 1.6 document (https://cyclonedx.org/docs/1.6/json/), with its vulnerabilities where requested. The
 * same inventory gives the same bytes: `timestamp` is the newest change in it, and the serial number is computed from the
 * content.
 *
 * The dependency graph holds only the project's direct dependencies: a tech stack does not record the edges below them. By
 * CycloneDX's rule, a component that is not in the graph has unknown dependencies.
 */
export function cycloneDxDocument(inventory: Inventory, contents: DocumentContents) {
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
    ...(contents === 'vulnerabilities' && {
      vulnerabilities: analyzeAlerts(alerts, components).map((each) => toVulnerability(each, projectRef)),
    }),
  };
  const kind = { bomFormat: 'CycloneDX', specVersion: '1.6' } as const;
  return { ...kind, serialNumber: urnOf(body), ...body };
}

/** Whether the project's direct dependencies are all known. */
function completenessOf(components: readonly { readonly direct: boolean | null }[]): string {
  if (components.every(({ direct }) => direct !== null)) return 'complete';
  return components.some(({ direct }) => direct === true) ? 'incomplete' : 'unknown';
}

/** The address in the syntax of RFC 3987: characters that only URL parsers accept are percent-encoded. */
function asReference(url: string): string {
  return new URL(url).href.replace(/[[\]{}|\\^`"<>\s]/g, (sign) => encodeURIComponent(sign));
}
