import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.js';
import { refetchWhileRunning } from '../../../api/while-running.js';
import { ScanTable } from '../../../components/finding/scan-table.js';
import { Empty, Loaded, Section } from '../../../components/page/page.js';
import { scanModeWords } from '../../../words.js';

/** Scans that runners do for the service. */
export function HostedScans({ projectId }: { readonly projectId: string | undefined }) {
  const scope = projectId === undefined ? {} : { project_id: projectId };
  const query = useQuery({
    ...api.dast.listServerScanJobs.queryOptions({ ...scope, page_size: 25 }),
    refetchInterval: refetchWhileRunning(({ status }) => status),
  });
  return (
    <Section title="Hosted scans">
      <Loaded query={query}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title="No hosted scan was queued.">
              <p>A runner of yours claims a queued scan of a target, does it, and uploads its report.</p>
            </Empty>
          ) : (
            <>
              <ScanTable
                label="Hosted scans"
                scans={items.map(({ id, status, tiers, finished_at, started_at, queued_at, ...job }) => ({
                  ...{ id, status, tiers },
                  at: finished_at ?? started_at ?? queued_at,
                  what: (
                    <>
                      {job.target_url}, {scanModeWords[job.mode]}
                      {job.project !== undefined && `, ${job.project.name}`}
                      {status === 'queued' && ': no runner has claimed it yet'}
                      {job.error !== null && `: ${job.error}`}
                    </>
                  ),
                }))}
              />
              {total > items.length && (
                <p>
                  The newest {items.length} of {total}.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
