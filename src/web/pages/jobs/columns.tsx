import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import type { Column } from '../../components/data-list/columns.js';
import { Time } from '../../components/time/time.js';
import { JobTag, problemText } from '../../components/upload/job-state.js';
import { changeSentences, readResult } from '../../components/upload/result.js';
import { uploadPhaseWords, uploadWords } from '../../words.js';

type Job = RouterOutputs['uploads']['list']['items'][number];

export function jobColumns(): Column<Job>[] {
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
