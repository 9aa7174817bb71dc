import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { RouterOutputs } from '../../../client/index.js';
import { api, client } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import { BandBadge, TierDot } from '../../components/badge/badge.js';
import { Coverage } from '../../components/coverage/coverage.js';
import type { Column } from '../../components/data-list/columns.js';
import { DataList } from '../../components/data-list/data-list.js';
import { counted } from '../../components/number/number.js';
import { Card, Section } from '../../components/page/page.js';
import { Empty } from '../../components/state/state.js';
import { VulnerabilityLink } from '../../components/vulnerability-link/vulnerability-link.js';
import { domainWords } from '../../words.js';
import styles from './search.module.css';

type Answer = RouterOutputs['intelligence']['findExposed'];
type ExposedRow = Answer['items'][number];

const columns: readonly Column<ExposedRow>[] = [
  { id: 'where', header: 'Where', grow: true, narrow: 'first', cell: (row) => <Where row={row} /> },
  { id: 'domain', header: 'Found in', room: 'some', cell: ({ domain }) => domainWords[domain] },
  { id: 'project', header: 'Project', narrow: 'second', cell: ({ project_name }) => project_name },
  { id: 'band', header: 'Verdict', narrow: 'second', cell: ({ band }) => band && <BandBadge band={band} /> },
  { id: 'status', header: 'Status', narrow: 'second', cell: ({ status }) => status },
];

const rowId = ({ id }: ExposedRow) => id;

/** "Are we exposed to …?": yes and where, no with what was looked at, or that it is not known. */
export function Exposed({ id }: { readonly id: string }) {
  const query = useInfiniteQuery(pages(api.intelligence.findExposed, client.intelligence.findExposed, { cve: id }));
  const first = query.data?.pages[0];
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  return (
    <Section title={`Are we exposed to ${id}?`} actions={<VulnerabilityLink id={id} />}>
      {first !== undefined && (
        <Card>
          <div className={styles.verdict}>
            <p>
              <strong>{exposedText(first, rows)}</strong>
            </p>
            <Coverage coverage={first.coverage} />
          </div>
        </Card>
      )}
      <DataList
        label={`Alerts and findings about ${id}`}
        query={query}
        columns={columns}
        rowId={rowId}
        empty={<Empty title="No alert and no finding names it. What stands above says what that is worth." />}
      />
    </Section>
  );
}

function exposedText({ coverage, total }: Answer, rows: readonly ExposedRow[]): string {
  const open = rows.filter(({ status }) => status === 'open' || status === 'acknowledged');
  switch (coverage.status) {
    case 'affected': {
      const projects = new Set(open.map(({ project_id }) => project_id)).size;
      const more = total > rows.length ? ' or more' : '';
      return `Yes, affected: ${counted(open.length, 'place')}${more} in ${counted(projects, 'project')}${more}.`;
    }
    case 'not_affected':
      return 'No, not affected: everything that could have named it was searched, and is fresh.';
    case 'unknown':
      return 'Unknown: nothing open names it, but not everything was looked at.';
  }
}

function Where({
  row: { id, project_id, domain, tier, package: found, versions, location },
}: {
  readonly row: ExposedRow;
}) {
  const name = found === null ? (location ?? domainWords[domain]) : `${found.name} ${versions.join(', ')}`;
  return (
    <span className={styles.where}>
      <TierDot tier={tier} compact />
      <PlaceLink domain={domain} projectId={project_id} id={id} name={name} />
      {found !== null && location !== null && <span className={styles.quiet}>{location}</span>}
    </span>
  );
}

interface PlaceLinkProps extends Pick<ExposedRow, 'domain' | 'id'> {
  readonly projectId: string;
  readonly name: string;
}

function PlaceLink({ domain, projectId, id, name }: PlaceLinkProps) {
  const params = { projectId, findingId: id };
  switch (domain) {
    case 'dependencies':
      return (
        <Link to="/projects/$projectId/alerts/$alertId" params={{ projectId, alertId: id }} data-row-link="">
          {name}
        </Link>
      );
    case 'code':
      return (
        <Link to="/projects/$projectId/code/$findingId" params={params} data-row-link="">
          {name}
        </Link>
      );
    case 'running_app':
      return (
        <Link to="/projects/$projectId/running-app/$findingId" params={params} data-row-link="">
          {name}
        </Link>
      );
    case 'containers':
      return (
        <Link to="/projects/$projectId/images/$findingId" params={params} data-row-link="">
          {name}
        </Link>
      );
  }
}
