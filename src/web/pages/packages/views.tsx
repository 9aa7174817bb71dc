import { Link } from '@tanstack/react-router';
import { api, client, type RouterOutputs, useList } from '../../api/client.js';
import { Coverage } from '../../components/coverage/coverage.js';
import { type Column, DataList } from '../../components/data-list/data-list.js';
import { Empty } from '../../components/page/page.js';
import { Time } from '../../components/tip/tip.js';
import { severityWords } from '../../words.js';
import { directWord, HealthText } from './package-words.js';

type Row = RouterOutputs['intelligence']['getPackageHealth']['items'][number];

export function AtRisk({ projectId }: { readonly projectId: string }) {
  const input = { project_id: projectId };
  const { query, first } = useList(api.intelligence.getPackageHealth, client.intelligence.getPackageHealth, input);
  return (
    <DataList
      label="Packages of poor health"
      query={query}
      columns={healthColumns(projectId)}
      empty={
        <Empty title="No package is known to be deprecated, unmaintained or malicious.">
          <Coverage coverage={first?.coverage ?? null} />
        </Empty>
      }
    />
  );
}

function healthColumns(projectId: string): Column<Row>[] {
  return [
    {
      id: 'name',
      header: 'Package',
      narrow: 'first',
      cell: ({ item_id, name, version }) => (
        <Link
          to="/projects/$projectId/packages/$itemId"
          params={{ projectId, itemId: item_id }}
          search={{ view: 'at-risk' }}
          data-row-link
        >
          {name} {version}
        </Link>
      ),
    },
    {
      id: 'health',
      header: 'Health',
      narrow: 'first',
      grow: true,
      cell: ({ health }) => <HealthText health={health} />,
    },
    { id: 'ecosystem', header: 'Ecosystem', narrow: 'second', cell: ({ ecosystem }) => ecosystem },
    { id: 'direct', header: 'How', narrow: 'second', cell: ({ direct }) => directWord(direct) },
  ];
}

type Reported = RouterOutputs['techStack']['listReportedVulnerabilities']['items'][number];

/** Vulnerabilities that uploaded SBOMs state, in the words of who wrote them. They make no alerts. */
export function Reported({ projectId }: { readonly projectId: string }) {
  const input = { project_id: projectId };
  const { listReportedVulnerabilities: list } = client.techStack;
  const { query } = useList(api.techStack.listReportedVulnerabilities, list, input);
  const columns = reportedColumns(projectId);
  return (
    <>
      <p>What the documents say themselves. It makes no alert here: alerts follow from advisories.</p>
      <DataList
        label="Vulnerabilities that SBOMs state"
        query={query}
        columns={columns}
        empty={
          <Empty title="No uploaded SBOM states a vulnerability.">
            <p>Only CycloneDX documents can have a list of vulnerabilities, and few tools write one.</p>
          </Empty>
        }
      />
    </>
  );
}

function reportedColumns(projectId: string): Column<Reported>[] {
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

function VulnerabilityCell({ vulnerability_id, alert_id, projectId }: Reported & { readonly projectId: string }) {
  if (alert_id === null)
    return <span title="No advisory here gives an alert for it">{vulnerability_id}, no alert</span>;
  return (
    <Link to="/projects/$projectId/alerts/$alertId" params={{ projectId, alertId: alert_id }} data-row-link>
      {vulnerability_id}
    </Link>
  );
}
