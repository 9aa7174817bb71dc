import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import type { Column } from '../../components/data-list/columns.js';
import { TierCounts } from '../../components/tier-counts/tier-counts.js';
import { scopeWords } from '../../words.js';
import { HealthTags } from './health.js';

type Item = RouterOutputs['techStack']['list']['items'][number];

export function packageColumns(projectId: string): Column<Item>[] {
  return [
    {
      id: 'name',
      header: 'Package',
      narrow: 'first',
      grow: true,
      cell: ({ id: itemId, name }) => (
        <Link
          to="/projects/$projectId/packages/$itemId"
          params={{ projectId, itemId }}
          search={true}
          title={name}
          data-row-link
        >
          {name}
        </Link>
      ),
    },
    { id: 'version', header: 'Version', narrow: 'second', cell: ({ version }) => <code>{version}</code> },
    { id: 'ecosystem', header: 'Ecosystem', narrow: 'second', cell: ({ ecosystem }) => ecosystem },
    { id: 'scope', header: 'Scope', room: 'some', cell: ({ scope }) => scopeWords[scope] },
    { id: 'direct', header: 'How', room: 'some', cell: ({ direct }) => directWord(direct) },
    { id: 'health', header: 'Health', narrow: 'second', cell: ({ health }) => <HealthTags health={health} /> },
    {
      id: 'alerts',
      header: 'Alerts',
      narrow: 'second',
      cell: ({ alerts, name }) => <AlertsLink alerts={alerts} name={name} projectId={projectId} />,
    },
  ];
}

/** Null: the source does not say. */
export function directWord(direct: boolean | null): string {
  if (direct === null) return 'not known';
  return direct ? 'direct' : 'brought in';
}

interface AlertsLinkProps {
  readonly alerts: { readonly red: number; readonly yellow: number; readonly green: number };
  readonly name: string;
  readonly projectId: string;
}

/** How many alerts are open, as a link to them. */
export function AlertsLink({ alerts, name, projectId }: AlertsLinkProps) {
  const total = alerts.red + alerts.yellow + alerts.green;
  if (total === 0) return <>no open alerts</>;
  return (
    <Link to="/projects/$projectId/alerts" params={{ projectId }} search={{ package: name }}>
      <span className="visually-hidden">Open alerts of {name}: </span>
      <TierCounts counts={alerts} />
    </Link>
  );
}
