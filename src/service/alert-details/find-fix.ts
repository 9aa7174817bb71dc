import { sql } from 'kysely';
import type * as z from 'zod';
import { detailLimits } from '../../procedures/alert-details.js';
import type { alerts } from '../../procedures/alerts.js';
import { type AlertWithVerdict, isResolved, nameOf } from '../alerts/alert-row.js';
import type { Context } from '../api/handler.js';
import { inScope } from '../db/scope.js';
import type { Places } from './find-places.js';

type Fix = Pick<z.output<typeof alerts.get.output>, 'fix' | 'no_fix'>;

/** The upgrade that closes the alert, and how many others it closes; or why there is none. */
export async function findFix(ctx: Context, alert: AlertWithVerdict, places: Places): Promise<Fix> {
  if (alert.resolved_at !== null) return { fix: null, no_fix: 'resolved' };
  if (alert.safe_version === null) return { fix: null, no_fix: 'no_safe_version' };
  const [shortest = []] = (places.dependency_paths ?? []).filter((path) => path.length > 1);
  return {
    fix: {
      package: nameOf(alert),
      from: alert.versions.slice(0, detailLimits.from),
      to: alert.safe_version,
      direct: places.is_direct === true ? null : (shortest[0] ?? null),
      is_direct: places.is_direct,
      closes_alerts: await countClosed(ctx, alert),
    },
    no_fix: null,
  };
}

/** No known advisory affects the safe version, so it closes every open alert on the versions that it replaces. */
async function countClosed({ tx, organisationId }: Context, alert: AlertWithVerdict): Promise<number> {
  const { closed } = await tx
    .selectFrom('alerts')
    .select((row) => row.fn.countAll<number>().as('closed'))
    .where(inScope({ organisationId, projectId: alert.project_id }))
    .where('ecosystem', '=', alert.ecosystem)
    .where('package_name', '=', alert.package_name)
    .where(sql<boolean>`versions <@ ${alert.versions}::text[]`)
    .where(isResolved.no)
    .executeTakeFirstOrThrow();
  return Number(closed);
}
