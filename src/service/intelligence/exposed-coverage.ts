import { sql } from 'kysely';
import type { Coverage, CoverageStatus } from '../../procedures/coverage.js';
import { type Domain, domains } from '../../procedures/risk.js';
import { formatCount } from '../../shared/text/number-text.js';
import { dependencyGaps, isHeld, notHeld } from '../alerts/vulnerability-gaps.js';
import type { VulnerabilityGroup } from '../alerts/vulnerability-group.js';
import { toCoverage } from '../coverage/coverage.js';
import type { Transaction } from '../db/database.js';
import { inScope, type Scope } from '../db/scope.js';
import type { ExposedCount } from './exposed-rows.js';

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
  const known = isHeld(group) || domains.some((domain) => counts[domain].all > 0);
  const nothing = known ? [] : [notHeld(asked)];
  const dependencies = await dependencyGaps(tx, { ...question, open: counts.dependencies.open });
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
