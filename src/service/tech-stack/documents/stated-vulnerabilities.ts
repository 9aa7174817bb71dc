import * as z from 'zod';
import { maxSkippedRows, type Receipt } from '../../../procedures/receipt.js';
import { yieldToEventLoop } from '../../../shared/async/yield-to-event-loop.js';
import { clip, onOneLine } from '../../../shared/text/cut.js';
import { type Severity, severities } from '../../../shared/vulnerability-terms.js';
import type { StatedRating } from '../../db/tables/projects.js';
import type { SbomPackages } from '../sbom-packages.js';
import { describeRow } from './row-fault.js';
import type { SkippedRow } from './sbom.js';
import { unreadableSbom } from './unreadable-sbom.js';

/** Vulnerabilities of one document, and what is kept of one. */
const maxVulnerabilities = 20_000;
const maxIds = 20;
const maxRatings = 10;
const maxAffected = 100;
const maxId = 100;
const maxText = 1000;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined)
  .catch(undefined);
const source = z.object({ name: text }).nullish().catch(null);

/** The part of a CycloneDX vulnerability that is kept (https://cyclonedx.org/docs/1.7/json/#vulnerabilities). */
const vulnerabilitySchema = z.object({
  id: z.string().trim().min(1),
  references: z
    .array(z.object({ id: text }))
    .nullish()
    .catch(null),
  ratings: z
    .array(
      z.object({
        source,
        severity: text,
        score: z.coerce.number().nullish().catch(null),
        method: text,
        vector: text,
      }),
    )
    .nullish()
    .catch(null),
  description: text,
  recommendation: text,
  analysis: z.object({ state: text, detail: text }).nullish().catch(null),
  affects: z
    .array(z.object({ ref: text }))
    .nullish()
    .catch(null),
});
type Vulnerability = z.output<typeof vulnerabilitySchema>;

/** A vulnerability that a document states of its components. */
export interface StatedVulnerability {
  readonly vulnerability_id: string;
  readonly aliases: string[];
  /** Package URLs or names. */
  readonly affects: string[];
  /** Those among them that feeds know: ecosystem, a space, and the registry's name. */
  readonly packages: string[];
  readonly severity: Severity | null;
  readonly ratings: StatedRating[];
  readonly description: string | null;
  readonly recommendation: string | null;
  readonly analysis_state: string | null;
  readonly analysis_detail: string | null;
}

/** The vulnerabilities of a document, one with the same id and the same components once. */
export async function statedVulnerabilities(
  rows: readonly unknown[],
  { componentOf, packages }: Pick<SbomPackages, 'componentOf' | 'packages'>,
): Promise<{ readonly vulnerabilities: StatedVulnerability[]; readonly receipt: Receipt }> {
  if (rows.length > maxVulnerabilities) {
    throw unreadableSbom(`must have at most ${maxVulnerabilities} vulnerabilities`);
  }
  const tracked = new Set(packages.map(({ ecosystem, package_name }) => `${ecosystem} ${package_name}`));
  const found = new Map<string, StatedVulnerability>();
  const skipped: SkippedRow[] = [];
  let merged = 0;
  const yieldNow = yieldToEventLoop();
  for (const [place, row] of rows.entries()) {
    await yieldNow();
    const pointer = `/vulnerabilities/${place}`;
    const parsed = vulnerabilitySchema.safeParse(row);
    if (!parsed.success) {
      skipped.push({ pointer, reason: describeRow(vulnerabilitySchema, parsed.error) });
      continue;
    }
    const stated = toStated(parsed.data, componentOf, tracked);
    const key = [stated.vulnerability_id, ...stated.affects].join('\n');
    if (found.has(key)) merged += 1;
    else found.set(key, stated);
  }
  const receipt = {
    rows: rows.length,
    taken: found.size,
    merged,
    skipped: skipped.length,
    skipped_rows: skipped.slice(0, maxSkippedRows),
    left_out: [],
  };
  return { vulnerabilities: [...found.values()], receipt };
}

function toStated(
  { id, references, ratings, description, recommendation, analysis, affects }: Vulnerability,
  componentOf: SbomPackages['componentOf'],
  tracked: ReadonlySet<string>,
): StatedVulnerability {
  const aliases = (references ?? []).map((reference) => onOneLine(reference.id ?? '', maxId));
  const components = (affects ?? []).slice(0, maxAffected).flatMap(({ ref }) => {
    if (ref === undefined) return [];
    return componentOf(ref) ?? { label: onOneLine(ref, maxText), key: null };
  });
  const packages = components.map(({ key }) => (key ?? '').split(' ').slice(0, 2).join(' '));
  const kept = (ratings ?? []).slice(0, maxRatings).map(toRating);
  return {
    vulnerability_id: onOneLine(id, maxId),
    aliases: [...new Set(aliases)].filter((alias) => alias !== '' && alias !== id).slice(0, maxIds),
    affects: [...new Set(components.map(({ label }) => label))].sort(),
    packages: [...new Set(packages)].filter((each) => tracked.has(each)),
    severity: worstOf(kept),
    ratings: kept,
    description: shortened(description),
    recommendation: shortened(recommendation),
    analysis_state: analysis?.state === undefined ? null : onOneLine(analysis.state, maxId),
    analysis_detail: shortened(analysis?.detail),
  };
}

function shortened(words: string | undefined): string | null {
  return words === undefined || words.trim() === '' ? null : clip(words.trim(), maxText);
}

function toRating(rating: NonNullable<Vulnerability['ratings']>[number]): StatedRating {
  const short = (words: string | undefined) => (words === undefined ? null : onOneLine(words, maxId));
  return {
    source: short(rating.source?.name),
    severity: short(rating.severity),
    score: rating.score ?? null,
    method: short(rating.method),
    vector: rating.vector === undefined ? null : onOneLine(rating.vector, 2 * maxId),
  };
}

/** The worst severity that a source states; CycloneDX says medium for moderate. */
function worstOf(ratings: readonly StatedRating[]): Severity | null {
  const stated = ratings.map(({ severity }) => (severity === 'medium' ? 'moderate' : severity));
  return severities.findLast((severity) => stated.includes(severity)) ?? null;
}
