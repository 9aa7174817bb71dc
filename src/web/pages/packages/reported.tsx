import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import { api, client } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import type { Column } from '../../components/data-list/columns.js';
import { DataList } from '../../components/data-list/data-list.js';
import { Empty } from '../../components/state/state.js';
import { Time } from '../../components/time/time.js';
import { severityWords } from '../../words.js';

type Row = RouterOutputs['techStack']['listReportedVulnerabilities']['items'][number];

/** Vulnerabilities that uploaded SBOMs state, in the words of who wrote them. They make no alerts. */
export function Reported({ projectId }: { readonly projectId: string }) {
  const input = { project_id: projectId };
  const query = useInfiniteQuery(
    pages(api.techStack.listReportedVulnerabilities, client.techStack.listReportedVulnerabilities, input),
  );
  const columns = columnsOf(projectId);
  return (
    <>
      <p>What the documents say themselves. It makes no alert here: alerts follow from advisories.</p>
      <DataList
        label="Vulnerabilities that SBOMs state"
        query={query}
        columns={columns}
        rowId={({ id }) => id}
        empty={
          <Empty title="No uploaded SBOM states a vulnerability.">
            <p>Only CycloneDX documents can have a list of vulnerabilities, and few tools write one.</p>
          </Empty>
        }
      />
    </>
  );
}

function columnsOf(projectId: string): Column<Row>[] {
  return [
    {
      id: 'id',
      header: 'Vulnerability',
      narrow: 'first',
      cell: (row) => <VulnerabilityCell {...row} projectId={projectId} />,
    },
    {
      id: 'severity',
      header: 'Severity',
      narrow: 'second',
      cell: ({ severity }) => (severity === null ? 'not rated' : severityWords[severity]),
    },
    { id: 'affects', header: 'Affects', narrow: 'first', grow: true, cell: ({ affects }) => affects.join(', ') },
    {
      id: 'analysis',
      header: 'Its analysis',
      room: 'some',
      cell: ({ analysis_state }) => analysis_state?.replaceAll('_', ' ') ?? 'none',
    },
    { id: 'source', header: 'Document', room: 'some', cell: ({ source }) => source },
    { id: 'updated', header: 'Uploaded', narrow: 'second', cell: ({ updated_at }) => <Time at={updated_at} /> },
  ];
}

function VulnerabilityCell({ vulnerability_id, alert_id, projectId }: Row & { readonly projectId: string }) {
  if (alert_id === null)
    return <span title="No advisory here gives an alert for it">{vulnerability_id}, no alert</span>;
  return (
    <Link to="/projects/$projectId/alerts/$alertId" params={{ projectId, alertId: alert_id }} data-row-link>
      {vulnerability_id}
    </Link>
  );
}
