import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import { TierDot } from '../../components/badge/badge.js';
import type { Column } from '../../components/data-list/columns.js';
import { FindingState } from '../../components/finding/finding.js';
import type { Shown } from '../../components/finding/shown.js';
import { count } from '../../components/number/number.js';
import { Time } from '../../components/time/time.js';
import { severityWords } from '../../words.js';

export type AppFinding = RouterOutputs['dast']['listFindings']['items'][number];

/** The columns of a list of findings in running apps. */
export function appColumns({ projectId, withState }: Shown): Column<AppFinding>[] {
  const columns: (Column<AppFinding> | false)[] = [
    { id: 'tier', header: 'Tier', narrow: 'second', cell: ({ tier }) => <TierDot tier={tier} /> },
    {
      id: 'title',
      header: 'Finding',
      narrow: 'first',
      grow: true,
      cell: (finding) => <FindingLink finding={finding} projectId={projectId} />,
    },
    { id: 'site', header: 'Site', narrow: 'second', cell: ({ target_url }) => target_url },
    { id: 'instances', header: 'Places', align: 'end', cell: ({ instance_count }) => count(instance_count) },
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
