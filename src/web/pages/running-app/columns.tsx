import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import type { Column } from '../../components/data-list/columns.js';
import { findingColumns } from '../../components/finding/finding-columns.js';
import type { Shown } from '../../components/finding/shown.js';
import { count } from '../../components/number/number.js';

export type AppFinding = RouterOutputs['dast']['listFindings']['items'][number];

/** The columns of a list of findings in running apps. */
export function appColumns({ projectId, withState }: Shown): Column<AppFinding>[] {
  const columns: (Column<AppFinding> | false)[] = [
    findingColumns.tier,
    {
      id: 'title',
      header: 'Finding',
      narrow: 'first',
      grow: true,
      cell: (finding) => <FindingLink finding={finding} projectId={projectId} />,
    },
    { id: 'site', header: 'Site', narrow: 'second', cell: ({ target_url }) => target_url },
    { id: 'instances', header: 'Places', align: 'end', cell: ({ instance_count }) => count(instance_count) },
    findingColumns.severity,
    projectId === undefined && findingColumns.project,
    { id: 'tool', header: 'Seen by', room: 'much', cell: ({ tool }) => tool },
    findingColumns.seen,
    withState && findingColumns.state,
  ];
  return columns.filter((column) => column !== false);
}

function FindingLink({ finding, projectId }: { readonly finding: AppFinding; readonly projectId: string | undefined }) {
  const { id: findingId, title, project } = finding;
  if (projectId !== undefined) {
    const params = { projectId, findingId };
    return (
      <Link to="/projects/$projectId/running-app/$findingId" params={params} search={true} data-row-link>
        {title}
      </Link>
    );
  }
  const params = { projectId: project?.id ?? '', findingId };
  return (
    <Link to="/running-app/$projectId/$findingId" params={params} search={true} data-row-link>
      {title}
    </Link>
  );
}
