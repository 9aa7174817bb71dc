import { nameOf } from '../alerts/alert-row.js';
import { namedComponents } from './components.js';
import { urnOf } from './content-name.js';
import type { Inventory, InventoryAlert } from './inventory.js';
import { proposalOf } from './proposal.js';
import { type AnalyzedAlert, analyzeAlerts } from './vulnerability-analysis.js';

/**
 * A project's OpenVEX 0.2.0 document (https://github.com/openvex/spec/blob/main/OPENVEX-SPEC.md): the project is the product,
 * its packages are the subcomponents. The same inventory gives the same bytes.
 */
export function openVexDocument({ project, organisation, items, alerts, changedAt }: Inventory) {
  const product = `urn:postern:project:${project.id}`;
  const analyzed = analyzeAlerts(alerts, namedComponents(items));
  const body = {
    author: organisation,
    timestamp: changedAt.toISOString(),
    version: 1,
    tooling: 'postern',
    statements: analyzed.map((each) => statementOf(each, product)),
  };
  return { '@context': 'https://openvex.dev/ns/v0.2.0' as const, '@id': urnOf(body), ...body };
}

function statementOf({ alert, vex, purls }: AnalyzedAlert, product: string) {
  const subcomponents = purls.map((purl) => ({ '@id': purl }));
  const aliases = alert.advisory_ids.filter((id) => id !== alert.vulnerability_id);
  return {
    vulnerability: {
      name: alert.vulnerability_id,
      description: alert.title,
      ...(aliases.length > 0 && { aliases }),
    },
    ...(alert.override_at !== null && alert.resolved_at === null && { timestamp: alert.override_at.toISOString() }),
    products: [{ '@id': product, ...(subcomponents.length > 0 && { subcomponents }) }],
    status: vex.openVex,
    ...explanationOf(alert, vex),
  };
}

/** `not_affected` needs a justification or an impact statement, `affected` an action statement. */
function explanationOf(
  alert: InventoryAlert,
  { openVex, cycloneDx }: AnalyzedAlert['vex'],
): Readonly<Record<string, string>> {
  const reason = alert.resolved_at === null ? (alert.override_reason ?? '') : (cycloneDx.detail ?? '');
  switch (openVex) {
    case 'not_affected':
      return {
        // OpenVEX has no justification for "requires an environment": then only the reason is given.
        ...(cycloneDx.justification === 'code_not_reachable' && {
          justification: 'vulnerable_code_not_in_execute_path',
        }),
        impact_statement: reason,
        ...(alert.kev_added !== null && {
          status_notes: `Known to be exploited: in CISA's KEV since ${alert.kev_added}.`,
        }),
      };
    case 'affected':
      return { action_statement: actionOf(alert), status_notes: reason };
    case 'under_investigation':
    case 'fixed':
      return {};
  }
}

function actionOf(alert: InventoryAlert): string {
  const name = nameOf(alert);
  const proposal = proposalOf(alert, `Update ${name}`);
  if (proposal !== null) return proposal;
  return alert.withheld
    ? `No version of ${name} is called safe: the advisories are over 7 days old or not complete.`
    : `No version of ${name} is known that nothing is known against: replace it or contain it.`;
}
