import type * as z from 'zod';
import { detailLimits } from '../../procedures/alert-details.js';
import type { alerts } from '../../procedures/alerts.js';
import { clip } from '../../shared/text/cut.js';
import type { StoredEvidence } from '../../verdict/evidence.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import { nameOf, toAlert } from '../alerts/alert-row.js';
import { findAlert } from '../alerts/find-alert.js';
import { type Advised, adviseAlerts } from '../alerts/package-advice.js';
import type { Handlers } from '../api/handler.js';
import { nameProjects } from '../projects/list-scope.js';
import { toOverride } from '../reachability/verdict-row.js';
import { shortestPaths } from './dependency-paths.js';
import { countClosed, descriptionOf, isDirect, loadGraph, loadTexts, referencesOf } from './load-details.js';

type Detail = z.output<typeof alerts.get.output>;

/** One alert with what is known of it. All that outsiders wrote is cut, so that an agent can take the answer whole. */
export const getAlert: Handlers['alerts']['get'] = async (ctx, key) => {
  const { tx, organisationId } = ctx;
  const found = await findAlert(ctx, key);
  const [alert] = await adviseAlerts(ctx, [found]);
  if (alert === undefined) throw new Error('an alert has no answer');
  const [projectOf, texts, graph, direct, closed, verdict] = await Promise.all([
    nameProjects(ctx, key.project_id, [alert]),
    loadTexts(tx, alert),
    loadGraph(tx, alert),
    isDirect(tx, alert),
    countClosed(tx, alert),
    tx
      .selectFrom('verdicts')
      .selectAll()
      .where('organisation_id', '=', organisationId)
      .where('alert_id', '=', alert.id)
      .executeTakeFirst(),
  ]);
  const isAffected = ({ ecosystem, package_name, version }: NonNullable<typeof graph>[number]) =>
    ecosystem === alert.ecosystem && package_name === alert.package_name && alert.versions.includes(version);
  const paths = graph && shortestPaths(graph, isAffected);
  return {
    ...toAlert(alert),
    ...projectOf(alert),
    description: descriptionOf(texts),
    cwes: [...new Set(texts.flatMap(({ cwes }) => cwes))],
    references: referencesOf(texts),
    dependency_paths: paths,
    import_sites: verdict === undefined ? null : sitesOf(verdict.evidence),
    ...fixOf(alert, { paths, direct, closed, named: found.safe_version }),
    override: verdict === undefined ? null : toOverride(verdict),
  };
};

interface Standing {
  readonly paths: Detail['dependency_paths'];
  readonly direct: boolean | null;
  readonly closed: number;
  /** The version that advisories name as safe, old ones too. */
  readonly named: string | null;
}

function fixOf(alert: Advised<AlertRow>, { paths, direct, closed, named }: Standing): Pick<Detail, 'fix' | 'no_fix'> {
  const { safe_version: to, advised_as_of: asOf, versions } = alert;
  if (alert.resolved_at !== null) return { fix: null, no_fix: 'resolved' };
  if (named === null) return { fix: null, no_fix: 'no_safe_version' };
  if (to === null || asOf === null) return { fix: null, no_fix: alert.withheld ? 'old_advisories' : 'no_safe_version' };
  const [shortest = []] = paths ?? [];
  const fix = {
    package: nameOf(alert),
    from: versions.slice(0, detailLimits.from),
    to,
    as_of: asOf,
    direct: shortest.length > 1 ? (shortest[0] ?? null) : null,
    is_direct: direct,
    closes_alerts: closed,
  };
  return { fix, no_fix: null };
}

/** The first sites, until their files' names are too long together. */
function sitesOf({ usage }: StoredEvidence): NonNullable<Detail['import_sites']> {
  let characters = 0;
  const shown = usage.sites.slice(0, detailLimits.sites).filter(({ file }) => {
    characters += file.length;
    return characters <= detailLimits.fileText;
  });
  const sites = shown.map(({ symbols, ...site }) => ({
    ...site,
    symbols: symbols.slice(0, detailLimits.symbols).map((symbol) => clip(symbol, detailLimits.symbol)),
  }));
  return { total: usage.siteCount, sites };
}
