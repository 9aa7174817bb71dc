import { sql } from 'kysely';
import { normaliseName } from '../../shared/packages/purl.js';
import type { Transaction } from '../db/database.js';
import type { PackageVersion } from './coordinate.js';

/** Segments of a path that are looked at; modules have up to seven. */
const maxSegments = 20;

/**
 * The module of a Go package: the longest part of its path that advisories, health records or the organisation's stacks know
 * as a module. `golang.org/x/crypto/ssh` is of `golang.org/x/crypto`. A path whose first name has no dot is of the standard
 * library, or of the tools, which are in `cmd`. What has no known module, or is one itself, stays as it is.
 */
export async function moduleOf<Named extends PackageVersion>(
  tx: Transaction,
  organisationId: string | null,
  named: Named,
): Promise<Named> {
  if (named.ecosystem !== 'Go') return named;
  const segments = named.name.split('/').slice(0, maxSegments);
  const paths = segments.map((_, nth) => segments.slice(0, nth + 1).join('/')).reverse();
  const keys = paths.map((path) => normaliseName('Go', path));
  const { rows } = await sql<{ place: number }>`
    select asked.place::integer as place from unnest(${keys}::text[]) with ordinality as asked (name, place)
    where exists (select from advisory_packages where ecosystem = 'Go' and package_name = asked.name)
      or exists (select from package_health where ecosystem = 'Go' and package_name = asked.name)
      or exists (
        select from tech_stack_items
        where organisation_id = ${organisationId} and ecosystem = 'Go' and package_name = asked.name
      )
    order by asked.place limit 1`.execute(tx);
  const known = paths[(rows[0]?.place ?? 0) - 1];
  if (known !== undefined) return { ...named, name: known };
  const isStandard = segments[0]?.includes('.') === false && named.name !== 'stdlib' && named.name !== 'toolchain';
  return isStandard ? { ...named, name: segments[0] === 'cmd' ? 'toolchain' : 'stdlib' } : named;
}
