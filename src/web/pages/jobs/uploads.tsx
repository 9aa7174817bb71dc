import { Link } from '@tanstack/react-router';
import { api, client, type RouterInputs, type RouterOutputs, useList } from '../../api/client.js';
import { whileRunning } from '../../api/while-running.js';
import { type Column, DataList } from '../../components/data-list/data-list.js';
import { Empty } from '../../components/page/page.js';
import { Time } from '../../components/tip/tip.js';
import { JobTag, problemText } from '../../components/upload/job-state.js';
import { changeSentences, readResult } from '../../components/upload/result.js';
import { uploadPhaseWords, uploadWords } from '../../words.js';

type Job = RouterOutputs['uploads']['list']['items'][number];

/** What runs comes first; the rest is as the service gives it, the newest first. */
const ranks: Readonly<Record<Job['state'], number>> = { running: 0, queued: 1, failed: 2, done: 2 };
const runningFirst = (jobs: readonly Job[]) => jobs.toSorted((a, b) => ranks[a.state] - ranks[b.state]);

const listed = async (...asked: Parameters<typeof client.uploads.list.query>) => {
  const answer = await client.uploads.list.query(...asked);
  return { ...answer, items: runningFirst(answer.items) };
};

/** Large uploads. Small ones are answered at once and leave no job. */
export function Uploads({ state }: { readonly state: Job['state'] | undefined }) {
  const input: RouterInputs['uploads']['list'] = state === undefined ? {} : { state };
  const { query } = useList(
    api.uploads.list,
    { query: listed },
    input,
    whileRunning(({ state: now }) => now),
  );
  return (
    <DataList
      label="Uploads"
      query={query}
      columns={jobColumns()}
      empty={
        <Empty title={state === undefined ? 'No large upload in the last 7 days.' : `No ${state} upload.`}>
          <p>Jobs of uploads are kept for 7 days. Small files are answered at once, and leave a scan but no job.</p>
        </Empty>
      }
    />
  );
}

function jobColumns(): Column<Job>[] {
  return [
    { id: 'state', header: 'State', narrow: 'second', cell: ({ state }) => <JobTag state={state} /> },
    {
      id: 'what',
      header: 'What',
      narrow: 'first',
      cell: ({ project_id, procedure }) => (
        <Link to="/projects/$projectId/uploads" params={{ projectId: project_id }} data-row-link>
          {uploadWords[procedure] ?? procedure}
        </Link>
      ),
    },
    { id: 'project', header: 'Project', narrow: 'second', cell: ({ project }) => project?.name },
    { id: 'outcome', header: 'Outcome', narrow: 'first', grow: true, cell: (job) => outcome(job) },
    { id: 'received', header: 'Received', narrow: 'second', cell: ({ received_at }) => <Time at={received_at} /> },
  ];
}

/** The first thing to know of a job: how far it is, what it changed, or why it failed. */
function outcome({ state, phase, done, of, answer, problem }: Job): string {
  if (state === 'failed') return problemText(problem);
  if (state !== 'done') return of === 0 ? uploadPhaseWords[phase] : `${uploadPhaseWords[phase]}, step ${done} of ${of}`;
  const result = readResult(answer);
  return (result && changeSentences(result)[0]) ?? 'It is done.';
}
