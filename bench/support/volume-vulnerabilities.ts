import { sql } from 'kysely';
import { findingSeverityOf } from '../../src/service/containers/severity.js';
import type { Database } from '../../src/service/db/database.js';
import { parseCvss } from '../../src/service/matching/cvss.js';
import { tierOf } from '../../src/service/matching/tier.js';
import type { Severity, Usage } from '../../src/shared/vulnerability-terms.js';
import { effectivePriority } from '../../src/verdict/formula.js';
import { numbersOf } from './volume-draw.js';
import { exposures } from './volume-shares.js';
import { titleOf } from './volume-titles.js';

/** The classes of use that alerts are drawn from. */
export const drawnUsages = ['called', 'imported', 'transitive_only', 'dev_only', 'not_used'] as const satisfies Usage[];

/** Number of vulnerabilities that every project has, as far as it has findings. */
export const commonVulnerabilities = 60;

/** The common ones that are known to be exploited, so that every larger project has some. */
const knownExploited = new Set([20, 40, 55]);

/** Real CVSS vectors, by severity. */
const vectors: Readonly<Record<Severity, readonly string[]>> = {
  critical: ['AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N'],
  high: [
    'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
    'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
    'AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
    'AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H',
  ],
  moderate: [
    'AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
    'AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    'AV:L/AC:L/PR:N/UI:R/S:U/C:N/I:N/A:H',
    'AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:H',
  ],
  low: ['AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N', 'AV:L/AC:L/PR:N/UI:R/S:U/C:L/I:N/A:N'],
};

const titles: ReadonlyArray<(name: string) => string> = [
  (name) => `Prototype pollution in ${name}`,
  (name) => `Regular expression denial of service in ${name}`,
  (name) => `${name} is vulnerable to path traversal when it unpacks an archive`,
  (name) => `Uncontrolled resource consumption in ${name}`,
  (name) => `Remote code execution through deserialisation in ${name}`,
  (name) => `Server-side request forgery in ${name} through a crafted host name`,
  (name) => `Out-of-bounds read in ${name}`,
  (name) => `${name} leaks credentials to other hosts after a redirect`,
];

const ecosystems = ['npm', 'npm', 'npm', 'PyPI', 'PyPI', 'Maven', 'Maven', 'Go', 'RubyGems', 'Packagist'] as const;
const words = ['http', 'json', 'toml', 'auth', 'gzip', 'mime', 'path', 'text', 'sign', 'yaml', 'hash', 'form'];

/** The vulnerability of a number; always the same for one number. */
function vulnerability(n: number, scoredOn: string) {
  const random = numbersOf(n);
  const between = (from: number, to: number) => from + (to - from) * random();
  const kev = knownExploited.has(n) || random() < 0.005;
  const place = random();
  const drawn = place < 0.09 ? 'critical' : place < 0.44 ? 'high' : place < 0.87 ? 'moderate' : 'low';
  const severity = kev && place < 0.8 ? (place < 0.45 ? 'critical' : 'high') : drawn;
  const vector = `CVSS:3.1/${vectors[severity][Math.floor(random() * vectors[severity].length)]}`;
  // 6 % of the advisories have a severity, but no CVSS vector.
  const cvss = random() < 0.94 ? parseCvss(vector) : null;
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const probability = kev ? between(0.3, 0.97) : Math.min(0.96, Math.max(0.0001, 10 ** (-2.8 + 0.7 * normal)));
  const epss = random() < (kev ? 1 : 0.94) ? Math.round(probability * 1e5) / 1e5 : null;
  const malicious = !kev && random() < 0.002;
  const packageName = `${words[n % words.length]}-${words[Math.floor(n / 7) % words.length]}-${1000 + (n % 4001)}`;
  const id = `GHSA-${n.toString(36).padStart(4, '2')}-volu-mes${n % 10}`;
  const cve = random() < 0.92 || kev ? `CVE-${2015 + (n % 12)}-${10_000 + Math.floor(n / 12)}` : null;
  const listed = new Date(Date.parse(scoredOn) - Math.floor(between(20, 1500)) * 86_400_000).toISOString().slice(0, 10);
  return {
    ...{ n, id, cve, severity, epss, malicious },
    package_name: packageName,
    ecosystem: ecosystems[n % ecosystems.length] ?? 'npm',
    title: titleOf((titles[n % titles.length] ?? String)(packageName)),
    cvss_score: cvss?.score ?? null,
    cvss_vector: cvss?.vector ?? null,
    attack_vector: cvss?.attackVector ?? null,
    epss_percentile: epss === null ? null : Math.min(0.999, Math.max(0.01, 0.5 + normal / 5)),
    kev_added: kev ? listed : null,
    tier: tierOf({ kev, malicious, cvss: cvss?.score ?? null, severity, epss }),
    finding_severity: findingSeverityOf({ cvss_score: cvss?.score ?? null, label: severity }),
    /** EffectivePriority by usage and exposure, in their orders. */
    scores: drawnUsages.flatMap((usage) =>
      exposures.map(
        (exposure) =>
          effectivePriority({
            ...{ usage, exposure, severity, epss, kev },
            cvssScore: cvss?.score ?? null,
            attackVector: cvss?.attackVector ?? null,
          }).score,
      ),
    ),
  };
}

/**
 * Writes the vulnerabilities that findings are drawn from: into a table of this benchmark, and as intelligence of the
 * service. Existing ones stay.
 */
export async function fillVulnerabilities(database: Database, count: number, scoredOn: string): Promise<void> {
  await database.system(async (tx) => {
    await sql`create table if not exists volume_vulnerabilities (
      n integer primary key, id text not null, cve text, severity text not null, epss double precision,
      malicious boolean not null, package_name text not null, ecosystem text not null, title text not null,
      cvss_score double precision, cvss_vector text, attack_vector text, epss_percentile double precision,
      kev_added date, tier text not null, finding_severity text not null, scores double precision[] not null
    )`.execute(tx);
  });
  for (let first = 0; first < count; first += 5_000) {
    const rows = Array.from({ length: Math.min(5_000, count - first) }, (_, place) =>
      vulnerability(first + place, scoredOn),
    );
    await database.system(async (tx) => {
      await sql`insert into volume_vulnerabilities
        select * from jsonb_populate_recordset(null::volume_vulnerabilities, ${JSON.stringify(rows)}::jsonb)
        on conflict do nothing`.execute(tx);
    });
  }
  await database.system(async (tx) => {
    await sql`insert into advisories (id, modified, published, summary, cves, aliases, severity, cvss_version, cvss_score,
        cvss_vector, malicious, "references", content_hash)
      select id, now(), now(), title, array_remove(array[cve], null), array_remove(array[cve], null), severity,
        case when cvss_vector is not null then '3.1' end, cvss_score, cvss_vector, malicious, '{}', sha256(id::bytea)
      from volume_vulnerabilities on conflict do nothing`.execute(tx);
    await sql`insert into advisory_packages (advisory_id, ecosystem, package_name, affected, symbols)
      select id, ecosystem, package_name, '{"ranges": [], "versions": ["1.0.0"]}', '{}'
      from volume_vulnerabilities on conflict do nothing`.execute(tx);
    await sql`insert into epss (cve, probability, percentile, scored_on, model)
      select cve, epss, epss_percentile, ${scoredOn}::date, 'v2025.03.14' from volume_vulnerabilities
      where cve is not null and epss is not null on conflict do nothing`.execute(tx);
    await sql`insert into kev (cve, date_added, due_date, ransomware)
      select cve, kev_added, kev_added + 21, n % 3 = 0 from volume_vulnerabilities
      where kev_added is not null on conflict do nothing`.execute(tx);
    await sql`insert into package_health (ecosystem, package_name, deprecated, source)
      select ecosystem, package_name, 'no longer maintained', 'volume' from volume_vulnerabilities
      where n % 60 in (6, 7) on conflict do nothing`.execute(tx);
  });
}
