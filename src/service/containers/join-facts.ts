import { compareText } from '../../shared/text/compare-text.js';
import { clip, onOneLine } from '../../shared/text/cut.js';
import { findingSeverities } from '../../shared/vulnerability-terms.js';
import type { FindingRow } from '../findings/finding-row.js';
import { findingDetails, type ReportedDetails } from './finding-details.js';
import { decidingScore, findingSeverityOf } from './severity.js';

/** What one scanner says of a finding. */
interface Facts {
  readonly id: string;
  readonly title: string;
  readonly details: ReportedDetails;
}

/**
 * What several scanners say of one finding, as one. It depends on what they say, not on who reported last: the order of the
 * given facts decides nothing but ties.
 */
export function joinFacts(given: readonly Pick<FindingRow, 'rule_id' | 'title' | 'details'>[]): Facts {
  const all = given.map(({ rule_id: id, title, details }): Facts => {
    const { epss: _epss, kev: _kev, ...reported } = findingDetails.parse(details);
    return { id, title, details: reported };
  });
  const [first, ...others] = all;
  if (first === undefined) throw new Error('nobody reports the finding');
  if (others.length === 0) return first;
  const details = all.map((each) => each.details);
  const rated = details.toSorted(byRating)[0] ?? first.details;
  const id = pick(
    all.map((each) => each.id),
    (a, b) => Number(!isCve(a)) - Number(!isCve(b)) || compareText(a, b),
  );
  const name = pick(
    details.map((each) => each.package.name),
    (a, b) => b.length - a.length || compareText(a, b),
  );
  const titles = all
    .filter((each) => each.title !== titleOf(each.id, each.details.package.name))
    .map(({ title }) => title);
  const { cvss_score, deciding_score, vendor_severity, label } = rated;
  return {
    id,
    title: titles.length === 0 ? titleOf(id, name) : pick(titles, (a, b) => a.length - b.length || compareText(a, b)),
    details: {
      package: {
        name,
        version: union(details.map((each) => each.package.version)) ?? '',
        type: first.details.package.type,
      },
      path:
        details
          .map(({ path }) => path)
          .filter((path) => path !== null)
          .sort(compareText)[0] ?? null,
      fixed_version: union(details.map((each) => each.fixed_version)),
      layers:
        details
          .map(({ layers }) => layers)
          .filter((layers) => layers !== null)
          .sort(byPrecision)[0] ?? null,
      cvss_score: cvss_score ?? highest(details.map((each) => each.cvss_score)),
      deciding_score,
      vendor_severity,
      label,
      cves: [...new Set([...details.flatMap(({ cves }) => cves), ...all.map((each) => each.id).filter(isCve)])]
        .sort()
        .slice(0, 20),
    },
  };
}

/** The title of a finding that no report gives one. */
export function titleOf(id: string, packageName: string): string {
  return onOneLine(`${id} in ${packageName}`, 300);
}

function isCve(id: string): boolean {
  return id.startsWith('CVE-');
}

function pick(texts: readonly string[], order: (a: string, b: string) => number): string {
  return texts.toSorted(order)[0] ?? '';
}

/** Lists of versions as one list. */
function union(lists: readonly (string | null)[]): string | null {
  const versions = lists.flatMap((list) => (list === null || list === '' ? [] : list.split(', ')));
  return versions.length === 0 ? null : clip([...new Set(versions)].sort().join(', '), 256);
}

function highest(scores: readonly (number | null)[]): number | null {
  const known = scores.filter((score) => score !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** The narrowest span of layers says most. */
function byPrecision([a1, a2]: readonly [number, number], [b1, b2]: readonly [number, number]): number {
  return a2 - a1 - (b2 - b1) || a1 - b1;
}

/** Best first: a distribution's word, another source's, a score, a label, nothing; of two alike, the worse one. */
function byRating(a: ReportedDetails, b: ReportedDetails): number {
  const worse = (each: ReportedDetails) => findingSeverities.indexOf(findingSeverityOf(each));
  return basis(a) - basis(b) || worse(a) - worse(b) || (decidingScore(b) ?? 0) - (decidingScore(a) ?? 0);
}

function basis(details: ReportedDetails): number {
  const { vendor_severity: vendor, label } = details;
  const isVendor =
    vendor !== null && vendor.source !== 'nvd' && (vendor.source !== null || vendor.severity === 'negligible');
  const score = decidingScore(details);
  if (isVendor) return score === null ? 0 : 1;
  if (score !== null) return 2;
  return label === null ? 4 : 3;
}
