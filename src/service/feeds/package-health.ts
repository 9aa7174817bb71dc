import { sql } from 'kysely';
import { type PackageKey, packageArrays } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';

/**
 * Computes `package_health` of these packages from their advisories. A package is unmaintained since the day its first
 * `unmaintained` advisory (RustSec) that is not withdrawn was published. Rows from other sources stay.
 */
export async function refreshHealth(tx: Transaction, packages: readonly PackageKey[]): Promise<void> {
  const { ecosystems, names } = packageArrays(packages);
  await sql`
    delete from package_health as health
    using unnest(${ecosystems}::text[], ${names}::text[]) as touched (ecosystem, package_name)
    where health.ecosystem = touched.ecosystem and health.package_name = touched.package_name
      and exists (select from advisories where id = health.source)`.execute(tx);
  await sql`
    insert into package_health (ecosystem, package_name, unmaintained_since, source)
    select distinct on (p.ecosystem, p.package_name) p.ecosystem, p.package_name,
      (coalesce(a.published, a.modified) at time zone 'UTC')::date, a.id
    from unnest(${ecosystems}::text[], ${names}::text[]) as touched (ecosystem, package_name)
    join advisory_packages p on p.ecosystem = touched.ecosystem and p.package_name = touched.package_name
    join advisories a on a.id = p.advisory_id
    where a.informational = 'unmaintained' and a.withdrawn is null
    order by p.ecosystem, p.package_name, coalesce(a.published, a.modified), a.id
    on conflict (ecosystem, package_name) do nothing`.execute(tx);
}
