import { Link } from '@tanstack/react-router';
import { api, client, type RouterOutputs, useList } from '../../api/client.js';
import { BandBadge, TierDot } from '../../components/badge/badge.js';
import { Coverage } from '../../components/coverage/coverage.js';
import { type Column, DataList } from '../../components/data-list/data-list.js';
import { counted } from '../../components/format/format.js';
import { VulnerabilityLink } from '../../components/link/link.js';
import { Card, Empty, Section } from '../../components/page/page.js';
import { findingPage } from '../../components/posture/scope.js';
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

/** "Are we exposed to …?": yes and where, no with what was looked at, or that it is not known. */
export function Exposed({ id }: { readonly id: string }) {
  const { query, rows, first } = useList(api.intelligence.findExposed, client.intelligence.findExposed, { cve: id });
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
      <Link {...findingPage({ domain, id, project: { id: project_id } }, project_id)} data-row-link="">
        {name}
      </Link>
      {found !== null && location !== null && <span className={styles.quiet}>{location}</span>}
    </span>
  );
}
