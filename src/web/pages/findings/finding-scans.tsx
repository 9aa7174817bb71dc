import type { UseQueryResult } from '@tanstack/react-query';
import { DetailPart } from '../../components/detail/detail.js';
import { type Scan, ScanTable } from '../../components/finding/scan-table.js';
import { Loaded } from '../../components/state/state.js';

/** Scans looked through for those that concern a finding. */
export const lookedThrough = 100;

interface FindingScansProps<Job> {
  readonly title: string;
  readonly query: UseQueryResult<{ readonly items: readonly Job[]; readonly total: number }, unknown>;
  readonly concerns: (job: Job) => boolean;
  readonly scanOf: (job: Job) => Scan;
  /** As `the last 7 scans of code`. */
  readonly searched: (count: number) => string;
}

/** The scans that a finding came with, and those that came after it. */
export function FindingScans<Job>({ title, query, concerns, scanOf, searched }: FindingScansProps<Job>) {
  return (
    <DetailPart title={title}>
      <Loaded query={query}>
        {({ items, total }) => {
          const scans = items.filter(concerns).map(scanOf);
          return (
            <>
              {scans.length > 0 && <ScanTable label="Scans" scans={scans} />}
              {(scans.length === 0 || total > items.length) && <p>Looked through {searched(items.length)}.</p>}
            </>
          );
        }}
      </Loaded>
    </DetailPart>
  );
}
