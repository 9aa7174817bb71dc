import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import { explain } from '../../api/explain.js';
import { refetchWhileRunning } from '../../api/while-running.js';
import { FilterBar, FilterSelect } from '../../components/chips/chips.js';
import { type Scan, ScanTable } from '../../components/finding/scan-table.js';
import { counted } from '../../components/format/format.js';
import { Empty, Failed, Missing, Page, Section, Skeleton } from '../../components/page/page.js';
import { jobStateWords, scanModeWords } from '../../words.js';
import { Uploads } from './uploads.js';

const route = getRouteApi('/frame/jobs');

export default function JobsPage() {
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title="Jobs" answer={<Answer />}>
      <Section title="Uploads">
        <FilterBar>
          <FilterSelect
            label="State"
            value={state}
            options={jobStateWords}
            onChange={(next) => navigate({ search: { state: next } })}
          />
        </FilterBar>
        <Uploads state={state} />
      </Section>
      <Section title="Scans">
        <Scans />
      </Section>
    </Page>
  );
}

function Answer() {
  const { data } = useQuery({
    ...api.uploads.list.queryOptions({ page_size: 100 }),
    refetchInterval: refetchWhileRunning(({ state }) => state),
  });
  if (data === undefined) return 'Uploads and scans of all projects.';
  const open = data.items.filter(({ state }) => state === 'running' || state === 'queued').length;
  const failed = data.items.filter(({ state }) => state === 'failed').length;
  const rest = failed === 0 ? 'none failed' : `${failed} failed`;
  if (data.total === 0) return 'Nothing was uploaded in the last 7 days that took longer than a moment.';
  const shown =
    data.total > data.items.length
      ? `Of the newest ${data.items.length}`
      : `Of ${counted(data.total, 'upload')} in the last 7 days`;
  return `${open === 0 ? 'Nothing is running' : `${counted(open, 'upload')} ${open === 1 ? 'is' : 'are'} running or waiting`}. ${shown} ${rest}.`;
}

const newest = { page_size: 25 };

/** Scans of code and of running apps in all projects: what runs first, then the newest. */
function Scans() {
  const [code, app, hosted] = useQueries({
    queries: [
      { ...api.sast.listScanJobs.queryOptions(newest), refetchInterval: refetchWhileRunning<Job>((job) => job.status) },
      { ...api.dast.listScanJobs.queryOptions(newest), refetchInterval: refetchWhileRunning<Job>((job) => job.status) },
      {
        ...api.dast.listServerScanJobs.queryOptions(newest),
        refetchInterval: refetchWhileRunning<Job>((job) => job.status),
      },
    ],
  });
  const parts = [
    { name: 'Scans of code', query: code },
    { name: 'Scans of running apps', query: app },
    { name: 'Hosted scans', query: hosted },
  ];
  const failed = parts.filter(({ query }) => query.data === undefined && query.error !== null);
  if (failed.length === parts.length)
    return <Failed error={code.error} onRetry={() => parts.map(({ query }) => query.refetch())} />;
  if (parts.some(({ query }) => query.isPending)) return <Skeleton rows={6} />;
  const scans = sorted([
    ...(code.data?.items ?? []).map((job) =>
      row(job, `${job.tool}, ${job.source_repo}`, job.finished_at ?? job.queued_at),
    ),
    ...(app.data?.items ?? []).map((job) =>
      row(job, `${job.tool}, ${scanModeWords[job.mode]}, ${job.target_url}`, job.finished_at ?? job.started_at),
    ),
    ...(hosted.data?.items ?? [])
      // A scan that is done is among the reports, too.
      .filter(({ status }) => status !== 'done')
      .map((job) => {
        const error = job.error === null ? '' : `: ${job.error}`;
        return row(
          job,
          `hosted, ${scanModeWords[job.mode]}, ${job.target_url}${error}`,
          job.started_at ?? job.queued_at,
        );
      }),
  ]);
  return (
    <>
      {failed.map(({ name, query }) => (
        <Missing key={name} title={`${name} are missing.`} reason={explain(query.error).detail} />
      ))}
      {scans.length === 0 ? (
        <Empty title="No scan was uploaded.">
          <p>Scans of code and of running apps are listed here; images are on their own page.</p>
        </Empty>
      ) : (
        <ScanTable label="Scans" scans={scans} />
      )}
      <p>The newest {newest.page_size} of each kind.</p>
    </>
  );
}

type Job = Pick<Scan, 'id' | 'status' | 'tiers'> & { readonly project?: { readonly name: string } | undefined };

function row({ id, status, tiers, project }: Job, what: string, at: Date | null): Scan {
  return { id, status, tiers, at, what: project === undefined ? what : `${project.name}: ${what}` };
}

function sorted(scans: readonly Scan[]): Scan[] {
  const isOver = ({ status }: Scan) => (status === 'done' || status === 'failed' ? 1 : 0);
  return scans.toSorted(
    (a, b) => isOver(a) - isOver(b) || (b.at?.getTime() ?? Infinity) - (a.at?.getTime() ?? Infinity),
  );
}
