import { detailLimits } from '../../procedures/alert-details.js';
import { type AlertWithVerdict, toAlert } from '../alerts/alert-row.js';
import { findAlert } from '../alerts/find-alert.js';
import type { Context, Handlers } from '../api/handler.js';
import { alertColumns, evidenceSources, toVerdict, verdictsOf } from '../reachability/verdict-row.js';
import { findFix } from './find-fix.js';
import { findPlaces } from './find-places.js';
import { findReferences } from './find-references.js';

/** One alert with what is known of it. Every part has a bound: `detailLimits`. */
export const getAlert: Handlers['alerts']['get'] = async (ctx, key) => {
  const alert = await findAlert(ctx, key);
  const places = await findPlaces(ctx, alert);
  const [{ import_sites, override }, references, fix] = await Promise.all([
    ofVerdict(ctx, alert),
    findReferences(ctx.tx, alert.advisory_ids),
    findFix(ctx, alert, places),
  ]);
  const { dependency_paths } = places;
  return { ...toAlert(alert), references, dependency_paths, import_sites, ...fix, override };
};

/** The first import sites and the override of an alert's verdict; null where it has none. */
async function ofVerdict({ tx, organisationId }: Context, alert: AlertWithVerdict) {
  const row = await verdictsOf(tx, { organisationId, projectId: alert.project_id })
    .selectAll('verdicts')
    .select(alertColumns)
    .where('verdicts.alert_id', '=', alert.id)
    .executeTakeFirst();
  if (row === undefined) return { import_sites: null, override: null };
  const sourcesOf = await evidenceSources(tx, organisationId, [alert.project_id]);
  const { evidence, override } = toVerdict(row, sourcesOf(alert.project_id));
  const { sites, site_count: total } = evidence.usage;
  const shown = sites
    .slice(0, detailLimits.sites)
    .map((site) => ({ ...site, symbols: site.symbols.slice(0, detailLimits.symbols) }));
  return { import_sites: { total, sites: shown }, override };
}
