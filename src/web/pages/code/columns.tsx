import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import { TierDot } from '../../components/badge/badge.js';
import { CodeLink } from '../../components/code-link/code-link.js';
import type { Column } from '../../components/data-list/columns.js';
import { FindingState } from '../../components/finding/finding.js';
import type { Shown } from '../../components/finding/shown.js';
import { Time } from '../../components/time/time.js';
import { severityWords } from '../../words.js';

export type CodeFinding = RouterOutputs['sast']['listFindings']['items'][number];

/** The columns of a list of findings in code. */
export function codeColumns({ projectId, withState }: Shown): Column<CodeFinding>[] {
  const columns: (Column<CodeFinding> | false)[] = [
    { id: 'tier', header: 'Tier', narrow: 'second', cell: ({ tier }) => <TierDot tier={tier} /> },
    {
      id: 'title',
      header: 'Finding',
      narrow: 'first',
      grow: true,
      cell: (finding) => <FindingLink finding={finding} projectId={projectId} />,
    },
    {
      id: 'place',
      header: 'Place',
      narrow: 'second',
      cell: ({ source_repo, file, line }) =>
        file === null ? source_repo : <CodeLink repo={source_repo} file={file} line={line} short />,
    },
    { id: 'severity', header: 'Severity', room: 'some', cell: ({ severity }) => severityWords[severity] },
    projectId === undefined && { id: 'project', room: 'some', header: 'Project', cell: ({ project }) => project?.name },
    { id: 'tool', header: 'Seen by', room: 'much', cell: ({ tool }) => tool },
    {
      id: 'seen',
      room: 'some',
      header: 'Last seen',
      narrow: 'second',
      cell: ({ last_seen_at }) => <Time at={last_seen_at} />,
    },
    withState && {
      id: 'state',
      header: 'State',
      narrow: 'second',
      cell: ({ state }) => <FindingState state={state} />,
    },
  ];
  return columns.filter((column) => column !== false);
}

function FindingLink({
  finding,
  projectId,
}: {
  readonly finding: CodeFinding;
  readonly projectId: string | undefined;
}) {
  const { id: findingId, title, project } = finding;
  if (projectId !== undefined) {
    return (
      <Link to="/projects/$projectId/code/$findingId" params={{ projectId, findingId }} search={true} data-row-link>
        {title}
      </Link>
    );
  }
  return (
    <Link
      to="/code/$projectId/$findingId"
      params={{ projectId: project?.id ?? '', findingId }}
      search={true}
      data-row-link
    >
      {title}
    </Link>
  );
}
