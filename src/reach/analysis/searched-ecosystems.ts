import { usageReportLimits } from '../../procedures/usage-report.js';
import { type Ecosystem, ecosystems } from '../../shared/packages/ecosystem.js';
import type { EvidenceKind } from '../../shared/vulnerability-terms.js';
import { type CountedGap, toWireGap } from './found-gap.js';
import type { LoadingEvidence } from './loading.js';
import type { WireDependency, WireReport } from './site-evidence.js';

export interface ReportedPackage extends Pick<WireDependency, 'usage' | 'gaps'> {
  readonly ecosystem: Ecosystem;
}

/** What was searched for the packages of each ecosystem that the lock files have. */
export function searchedEcosystems(
  packages: readonly ReportedPackage[],
  gaps: readonly CountedGap[],
  loading: readonly LoadingEvidence[],
  filesOf: ReadonlyMap<Ecosystem, number>,
): NonNullable<WireReport['ecosystems']> {
  return ecosystems.flatMap((ecosystem) => {
    const own = packages.filter((each) => each.ecosystem === ecosystem);
    if (own.length === 0) return [];
    const files = filesOf.get(ecosystem) ?? 0;
    const ownGaps = gaps.filter((gap) => gap.ecosystem === ecosystem);
    return {
      ecosystem,
      packages: own.length,
      files,
      evidence: evidenceFor(ecosystem, files, loading),
      judged: own.filter(isJudged).length,
      gaps: ownGaps
        .toSorted((a, b) => b.hidden - a.hidden)
        .slice(0, usageReportLimits.gaps)
        .map(toWireGap),
      gap_count: ownGaps.length,
    };
  });
}

/** What is used has no gaps: none could hide more than is seen. */
function isJudged({ usage, gaps = [] }: ReportedPackage): boolean {
  return usage !== 'not_analyzed' && gaps.length === 0;
}

function evidenceFor(ecosystem: Ecosystem, files: number, loading: readonly LoadingEvidence[]): EvidenceKind[] {
  const kinds = loading.flatMap(({ kind, loaded, followed }) =>
    followed.includes(ecosystem) || loaded.some((each) => each.ecosystem === ecosystem) ? [kind] : [],
  );
  return [...new Set<EvidenceKind>([...(files > 0 ? ['source' as const] : []), ...kinds])];
}
