import { type RawBuilder, sql } from 'kysely';
import { inScope, type Scope } from '../db/scope.js';

type Risk = 'health' | 'health or alerts';

/**
 * The condition that a tracked package, in a query named `item`, is deprecated by its manifest or its registry, unmaintained,
 * or malware by an unresolved alert; or that it has any unresolved alert.
 */
export function isAtRisk(scope: Scope, by: Risk): RawBuilder<boolean> {
  const counted = by === 'health' ? sql`and malicious` : sql``;
  return sql<boolean>`(
    item.deprecated is not null
    or (item.ecosystem, item.package_name) in (
      select ecosystem, package_name from package_health where deprecated is not null or unmaintained_since is not null
    )
    or (item.project_id, item.ecosystem, item.package_name, item.version) in (
      select project_id, ecosystem, package_name, unnest(versions) from alerts
      where ${inScope(scope)} and resolved_at is null ${counted}
    )
  )`;
}
