import { namedComponents, otherComponents, toComponent, toOtherComponent } from './components.js';
import { urnOf } from './content-name.js';
import { documentGraph } from './graph.js';
import type { DocumentContents, Inventory } from './inventory.js';
import { toVulnerability } from './vulnerabilities.js';
import { analyzeAlerts } from './vulnerability-analysis.js';

export type CycloneDxDocument = ReturnType<typeof cycloneDxDocument>;

/**
 * A project's CycloneDX 1.6 document (https://cyclonedx.org/docs/1.6/json/), with its vulnerabilities where requested. The
 * same inventory gives the same bytes: `timestamp` is the newest change in it, and the serial number is computed from the
 * content.
 */
export function cycloneDxDocument(inventory: Inventory, contents: DocumentContents) {
  const { project, organisation, items, others, alerts, changedAt } = inventory;
  const projectRef = `project:${project.id}`;
  const components = namedComponents(items);
  const unmatched = otherComponents(others);
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
      // Who has made the document.
      manufacturer: { name: organisation },
    },
    components: [...components.map(toComponent), ...unmatched.map(toOtherComponent)],
    ...documentGraph(projectRef, components, unmatched, inventory),
    ...(contents === 'vulnerabilities' && {
      vulnerabilities: analyzeAlerts(alerts, components).map((each) => toVulnerability(each, projectRef)),
    }),
  };
  const kind = { bomFormat: 'CycloneDX', specVersion: '1.6' } as const;
  return { ...kind, serialNumber: urnOf(body), ...body };
}

/** The address in the syntax of RFC 3987: characters that only URL parsers accept are percent-encoded. */
function asReference(url: string): string {
  return new URL(url).href.replace(/[[\]{}|\\^`"<>\s]/g, (sign) => encodeURIComponent(sign));
}
