import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import { CodeLink } from '../../components/code-link/code-link.js';
import type { Column } from '../../components/data-list/columns.js';
import { findingColumns } from '../../components/finding/finding-columns.js';
import type { Shown } from '../../components/finding/shown.js';

export type CodeFinding = RouterOutputs['sast']['listFindings']['items'][number];

/** The columns of a list of findings in code. */
export function codeColumns({ projectId, withState }: Shown): Column<CodeFinding>[] {
  const columns: (Column<CodeFinding> | false)[] = [
    findingColumns.tier,
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
    findingColumns.severity,
    projectId === undefined && findingColumns.project,
    { id: 'tool', header: 'Seen by', room: 'much', cell: ({ tool }) => tool },
    findingColumns.seen,
    withState && findingColumns.state,
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
