import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { DetailPart } from '../../components/detail/detail.js';
import { ScanTable } from '../../components/finding/scan-table.js';
import { Loaded } from '../../components/state/state.js';
import { scanModeWords } from '../../words.js';
import type { AppFinding } from './columns.js';

/** Scans looked through for those of this site. */
const lookedThrough = 100;

/** The scans that a finding came with, and those that came after it. */
export function SiteScans({ finding, projectId }: { readonly finding: AppFinding; readonly projectId: string }) {
  const query = useQuery(api.dast.listScanJobs.queryOptions({ project_id: projectId, page_size: lookedThrough }));
  return (
    <DetailPart title="Scans of this site">
      <Loaded query={query}>
        {({ items, total }) => {
          const scans = items.filter((job) => job.target_url === finding.target_url);
          return (
            <>
              {scans.length > 0 && (
                <ScanTable
                  label="Scans"
                  scans={scans.map(({ id, status, tiers, finished_at, started_at, tool, mode }) => ({
                    ...{ id, status, tiers },
                    at: finished_at ?? started_at,
                    what: `${tool}, ${scanModeWords[mode]}`,
                  }))}
                />
              )}
              {(scans.length === 0 || total > items.length) && (
                <p>Looked through the last {items.length} scans of running apps.</p>
              )}
            </>
          );
        }}
      </Loaded>
    </DetailPart>
  );
}
