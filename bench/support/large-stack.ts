import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../src/service/db/schema.js';

/** The n-th package of a large stack: two of three are of npm, the others of PyPI. */
export function packageAt(n: number) {
  const ecosystem = n % 3 === 2 ? 'PyPI' : 'npm';
  return { ecosystem, name: `package-${n}`, version: `1.${n % 50}.0` } as const;
}

function purlOf(n: number): string {
  const { ecosystem, name, version } = packageAt(n);
  return `pkg:${ecosystem === 'npm' ? 'npm' : 'pypi'}/${name}@${version}`;
}

/** A CycloneDX document with so many components, each with a licence, a digest and up to three dependencies. */
export function largeSbom(components: number): string {
  const refs = Array.from({ length: components }, (_, n) => purlOf(n));
  return JSON.stringify({
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    metadata: { component: { 'bom-ref': 'shop', type: 'application', name: 'shop', version: '1.0.0' } },
    components: refs.map((purl, n) => ({
      ...{ 'bom-ref': purl, type: 'library', ...packageAt(n), ecosystem: undefined, purl },
      licenses: [{ license: { id: n % 2 === 0 ? 'MIT' : 'Apache-2.0' } }],
      hashes: [{ alg: 'SHA-256', content: (n + 1).toString(16).padStart(64, '0') }],
    })),
    dependencies: [
      { ref: 'shop', dependsOn: refs.slice(0, 100) },
      ...refs.map((ref, n) => ({ ref, dependsOn: refs.slice(n + 1, n + 1 + (n % 4)) })),
    ],
  });
}

/** The packages of a sync, each with up to three dependencies. */
export function largeSync(source: string, packages: number): string {
  return JSON.stringify({
    source,
    packages: Array.from({ length: packages }, (_, n) => ({
      ...packageAt(n),
      direct: n < 100,
      dependencies: [1, 2, 3].slice(0, n % 4).flatMap((step) => (n + step < packages ? [n + step] : [])),
    })),
  });
}

const uses = ['reached', 'imported', 'transitive', 'tooling', 'unused'] as const;

/** A usage report on the first packages. `shift` changes how each is used. */
export function largeUsageReport(packages: number, shift: number): string {
  const dependencies = Array.from({ length: packages }, (_, n) => {
    const usage = uses[(n + shift) % uses.length] ?? 'unused';
    const imported = usage === 'reached' || usage === 'imported';
    return {
      ...{ purl: purlOf(n), scope: 'runtime', direct: false, usage },
      counts: { prod: imported ? 1 : 0, reached: 0, test: 0, config: 0, script: 0, type: 0, mock: 0 },
      sites: [],
      ...{ symbols: imported ? ['merge'] : [], symbols_complete: true, introduced_by: [], paths: [] },
      ...{ evidence: imported ? 'import' : 'none', truncated: false },
    };
  });
  const stats = { files: 1, bytes: 1, parse_errors: 0, skipped: 0, unresolved: 0, unknown_dynamic: 0, duration_ms: 1 };
  return JSON.stringify({
    ...{ schema: 'reach/1', tool: { name: 'bench', version: '1' }, generated_at: new Date().toISOString() },
    ...{ commit: null, lockfiles: [], stats, entries: [], complete: true, dependencies },
  });
}

/** Loads advisories on every third package; half of them affect the versions of `packageAt`. */
export async function storeAdvisories(db: Pick<Kysely<Schema>, 'getExecutor'>, count: number): Promise<void> {
  await sql`
    insert into advisories (id, modified, published, summary, cves, aliases, severity, cvss_version, cvss_score, cvss_vector,
      malicious, "references", content_hash)
    select 'GHSA-' || n, now(), now(), 'A vulnerability of some package, number ' || n, array['CVE-2024-' || (10000 + n)], '{}',
      (array['low', 'moderate', 'high', 'critical'])[1 + n % 4], '3.1', (n % 100) / 10.0,
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', false, '{}', sha256(n::text::bytea)
    from generate_series(0, ${count - 1}::int) as n`.execute(db);
  await sql`
    insert into advisory_packages (advisory_id, ecosystem, package_name, affected, symbols)
    select 'GHSA-' || n, case when n * 3 % 3 = 2 then 'PyPI' else 'npm' end, 'package-' || (n * 3),
      jsonb_build_object('versions', '[]'::jsonb, 'ranges', jsonb_build_array(jsonb_build_object('type', 'ECOSYSTEM', 'events',
        jsonb_build_array(jsonb_build_object('introduced', '0'),
          jsonb_build_object('fixed', case when n % 2 = 0 then '2.0.0' else '0.9.0' end))))),
      case when n % 5 = 0 then array['merge'] else '{}' end
    from generate_series(0, ${count - 1}::int) as n`.execute(db);
}
