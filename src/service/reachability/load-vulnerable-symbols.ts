import { type RawBuilder, sql } from 'kysely';
import { packageKey } from '../../shared/packages/package-name.js';
import type { VulnerableSymbols } from '../../verdict/vulnerable-symbols.js';
import type { AlertRow } from '../alerts/alert-facts.js';
import { type PackageKey, packageArrays } from '../alerts/tracked-packages.js';
import type { Transaction } from '../db/database.js';

type NamedAlert = Pick<AlertRow, 'ecosystem' | 'package_name' | 'advisory_ids' | 'cves'>;

/** The vulnerable functions of each alert, by its advisories and by what feeds say of them. */
export async function loadVulnerableSymbols(
  tx: Transaction,
  alerts: readonly NamedAlert[],
): Promise<(alert: NamedAlert) => VulnerableSymbols> {
  const advisories = await symbolsByAdvisory(tx, alerts);
  const records = await recordsByPackage(tx, alerts);
  return (alert) => {
    const own = alert.advisory_ids.flatMap((id) => advisories.get(`${id} ${packageKey(alert)}`) ?? []);
    const ids = new Set([...alert.advisory_ids, ...alert.cves]);
    const fitting = (records.get(packageKey(alert)) ?? []).filter(
      ({ record_id, aliases }) => ids.has(record_id) || aliases.some((alias) => ids.has(alias)),
    );
    // CVEs and aliases may join two vulnerabilities, and the other one may be in other functions.
    const isNamed = (record: SymbolRecord) => record.can_exclude && alert.advisory_ids.includes(record.record_id);
    return {
      named: unique([...own, ...fitting.filter(isNamed).flatMap(({ symbols }) => symbols)]),
      suspected: unique(fitting.filter((record) => !isNamed(record)).flatMap(({ symbols }) => symbols)),
    };
  };
}

function unique(symbols: readonly string[]): string[] {
  return [...new Set(symbols)];
}

/** Vulnerable functions by advisory and package. Few advisories name any. */
async function symbolsByAdvisory(tx: Transaction, alerts: readonly NamedAlert[]) {
  const { rows } = await sql<PackageKey & { readonly advisory_id: string; readonly symbols: readonly string[] }>`
    select named.advisory_id, named.ecosystem, named.package_name, named.symbols
    from ${packagesOf(alerts)}
    join advisory_packages as named
      on named.ecosystem = wanted.ecosystem and named.package_name = wanted.package_name
    where named.symbols <> '{}'`.execute(tx);
  return new Map(rows.map((row) => [`${row.advisory_id} ${packageKey(row)}`, row.symbols]));
}

interface SymbolRecord extends PackageKey {
  readonly record_id: string;
  readonly aliases: readonly string[];
  readonly symbols: readonly string[];
  readonly can_exclude: boolean;
}

async function recordsByPackage(tx: Transaction, alerts: readonly NamedAlert[]): Promise<Map<string, SymbolRecord[]>> {
  const { rows } = await sql<SymbolRecord>`
    select named.ecosystem, named.package_name, named.record_id, named.aliases, named.symbols, named.can_exclude
    from ${packagesOf(alerts)}
    join symbol_records as named
      on named.ecosystem = wanted.ecosystem and named.package_name = wanted.package_name
    order by named.record_id`.execute(tx);
  const found = new Map<string, SymbolRecord[]>();
  for (const row of rows) {
    const others = found.get(packageKey(row));
    if (others === undefined) found.set(packageKey(row), [row]);
    else others.push(row);
  }
  return found;
}

/** The packages of the alerts, each once, as the table `wanted`. */
function packagesOf(alerts: readonly NamedAlert[]): RawBuilder<unknown> {
  const { ecosystems, names } = packageArrays(alerts);
  return sql`(
    select distinct * from unnest(${ecosystems}::text[], ${names}::text[])
  ) as wanted (ecosystem, package_name)`;
}
