import { sql } from 'kysely';
import type { Coverage, CoverageStatus } from '../../procedures/coverage.js';
import { type Domain, domains } from '../../procedures/risk.js';
import { formatCount } from '../../shared/text/number-text.js';
import { loadAdvisories } from '../alerts/load-intelligence.js';
import { type PackageKey, packageArrays } from '../alerts/tracked-packages.js';
import { toCoverage } from '../coverage/coverage.js';
import { projectsGap, projectsSearched } from '../coverage/projects-searched.js';
import { runtimeGaps } from '../coverage/runtime-packages.js';
import { stackFeeds } from '../coverage/stack-feeds.js';
import { unreadGapsOfPackages } from '../coverage/unread-parts.js';
import type { Transaction } from '../db/database.js';
import { inScope, isListed, ofLivingProject, type Scope } from '../db/scope.js';
import { isAffected } from '../matching/affected.js';
import { isOneRelease } from '../matching/versions/index.js';
import type { ExposedCount } from './exposed-rows.js';
import type { VulnerabilityGroup } from './vulnerability-group.js';

interface Question {
  readonly scope: Scope;
  /** The id that was asked for. */
  readonly asked: string;
  readonly group: VulnerabilityGroup;
  readonly counts: Readonly<Record<Domain, ExposedCount>>;
  readonly now: Date;
}

/**
 * What stands behind the answer whether an organisation has a vulnerability. Tech stacks and images decide. Scans of code and
 * of running applications can find it, but cannot exclude it: they only raise the answer.
 */
export async function exposedCoverage(tx: Transaction, question: Question): Promise<Coverage> {
  const { asked, group, counts } = question;
  const known = group.advisories.length > 0 || group.scored || domains.some((domain) => counts[domain].all > 0);
  const nothing = known ? [] : [`nothing held here knows ${asked}`];
  const dependencies = await dependencyGaps(tx, question);
  const images = await imageGaps(tx, question);
  const raised = (['code', 'running_app'] as const).map((domain) => ({
    domain,
    status: statusOf(counts[domain], ['']),
  }));
  const { status, ...rest } = toCoverage({
    domains: [
      { domain: 'dependencies', status: statusOf(counts.dependencies, [...nothing, ...dependencies.gaps]) },
      { domain: 'containers', status: statusOf(counts.containers, [...nothing, ...images]) },
      ...raised.filter((each) => each.status === 'affected'),
    ],
    feeds: dependencies.feeds,
    known,
    gaps: [...nothing, ...suppressedGaps(counts), ...dependencies.gaps, ...images],
  });
  const unsure = raised.filter((each) => each.status !== 'affected');
  const inOrder = domains.flatMap((domain) => [...rest.domains, ...unsure].filter((each) => each.domain === domain));
  return { status, ...rest, domains: inOrder };
}

function statusOf({ open, suppressed }: ExposedCount, gaps: readonly string[]): CoverageStatus {
  if (open > 0) return 'affected';
  return gaps.length === 0 && suppressed === 0 ? 'not_affected' : 'unknown';
}

function suppressedGaps(counts: Question['counts']): string[] {
  return domains.flatMap((domain) => {
    const { suppressed } = counts[domain];
    return suppressed === 0 ? [] : [`${domain}: ${formatCount(suppressed)} suppressed by their own report`];
  });
}

async function dependencyGaps(tx: Transaction, { scope, asked, group, counts, now }: Question) {
  const { packages, advisories } = group;
  const ecosystems = packages.map(({ ecosystem }) => ecosystem);
  const { feeds, gaps } = await stackFeeds(tx, scope, now, ecosystems);
  if (advisories.length > 0 && advisories.every(({ counts }) => !counts)) {
    gaps.push(`every advisory held for ${asked} is withdrawn, or is about no flaw`);
  } else if (packages.length === 0) {
    gaps.push(`no advisory held names packages of ${asked}: dependencies cannot be matched`);
    gaps.push(
      'runtimes such as Node.js, Python, PHP, Ruby, Java, .NET and Rust are not looked for: their versions are in no tech stack',
    );
  }
  const searched = await projectsSearched(tx, scope, 'dependencies');
  gaps.push(...projectsGap(searched, 'dependencies'));
  if (counts.dependencies.open === 0) {
    gaps.push(...(await unreadGapsOfPackages(tx, scope, packages)));
    gaps.push(...(await runtimeGaps(tx, scope, packages)));
    gaps.push(...(await versionGaps(tx, scope, group)), ...(await statedGaps(tx, scope, group)));
  }
  return { feeds, gaps };
}

interface Tracked extends PackageKey {
  readonly version: string;
}

/** Packages of one question. An advisory names 400 at most. */
const maxPackages = 1_000;

/**
 * Versions of the named packages that cannot be compared, and affected ones without an open alert: alerts follow new
 * advisories batch by batch, and may not have caught up yet.
 */
async function versionGaps(tx: Transaction, scope: Scope, group: VulnerabilityGroup): Promise<string[]> {
  const packages = group.packages.slice(0, maxPackages);
  const { ecosystems, names } = packageArrays(packages);
  const { rows } = await sql<Tracked>`
    select distinct item.ecosystem, item.package_name, item.version
    from unnest(${ecosystems}::text[], ${names}::text[]) as named (ecosystem, package_name)
    join tech_stack_items as item on item.organisation_id = ${scope.organisationId}
      and item.ecosystem = named.ecosystem and item.package_name = named.package_name
    where ${ofLivingProject(scope)}`.execute(tx);
  const held = new Set(group.advisories.map(({ id }) => id));
  const advisories = await loadAdvisories(tx, rows);
  const unreadable = rows.filter(({ ecosystem, version }) => !isOneRelease(ecosystem, version));
  const unranged = rows.filter((_row, place) =>
    advisories[place]?.some(
      ({ id, affected: { ranges, versions } }) => held.has(id) && ranges.length === 0 && versions.length === 0,
    ),
  );
  const behind = rows.filter(({ ecosystem, version }, place) =>
    advisories[place]?.some(({ id, affected }) => held.has(id) && isAffected(ecosystem, version, affected)),
  );
  const gaps: string[] = [];
  if (group.packages.length > maxPackages) gaps.push(`only the first ${maxPackages} of its packages were compared`);
  for (const { package_name, version } of unreadable)
    gaps.push(`${package_name} ${version}: the version cannot be compared`);
  for (const { package_name } of unranged)
    gaps.push(`${package_name}: an advisory does not say which versions are affected`);
  for (const { package_name, version } of behind)
    gaps.push(`${package_name} ${version} is affected; its alert is not there yet`);
  return gaps;
}

/** Projects whose SBOM states the vulnerability, as long as it does not say that it does not matter there: no alert has it. */
async function statedGaps(tx: Transaction, scope: Scope, { ids }: VulnerabilityGroup): Promise<string[]> {
  const wanted = sql`${[...ids]}::text[]`;
  const { rows } = await sql<{ projects: number }>`
    select count(distinct project_id)::integer as projects from reported_vulnerabilities
    where ${isListed(scope)} and (vulnerability_id = any (${wanted}) or aliases && ${wanted})
      and coalesce(analysis_state, '') not in ('not_affected', 'false_positive', 'resolved', 'resolved_with_pedigree')`.execute(
    tx,
  );
  const projects = rows[0]?.projects ?? 0;
  return projects === 0 ? [] : [`SBOMs of ${formatCount(projects)} projects state it, and no alert is open on it`];
}

/**
 * Images in which no scan has searched the packages of languages since the vulnerability became known. A search of the
 * system's packages alone shows nothing, and neither does a report without a time: it may be older than its upload.
 */
async function imageGaps(tx: Transaction, { scope, asked, group }: Question): Promise<string[]> {
  const known = group.advisories.flatMap(({ counts, published }) => (counts && published !== null ? [published] : []));
  const since = known.length === 0 ? null : new Date(Math.max(...known.map((date) => date.getTime())));
  const { rows } = await sql<{ images: number; older: number }>`
    select count(*)::integer as images, count(*) filter (where not exists (
        select from newest_reports as report
        where report.organisation_id = image.organisation_id and report.project_id = image.project_id
          and report.domain = 'containers' and report.source = image.ref and report.part = 'library'
          and report.scope <@ array['image', 'squashed'] and report.reported_at > ${since}::timestamptz
      ))::integer as older
    from container_images as image where ${inScope(scope, 'image')}`.execute(tx);
  const { images = 0, older = 0 } = rows[0] ?? {};
  if (images === 0) return ['no image has been scanned'];
  if (since === null) return [`no advisory held says since when ${asked} is known: scans of images may be older`];
  if (older === 0) return [];
  const day = since.toISOString().slice(0, 10);
  return [
    `${formatCount(older)} of ${formatCount(images)} images have no dated scan of language packages since its advisory of ${day}`,
  ];
}
