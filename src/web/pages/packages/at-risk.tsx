import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import { api, client } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import { Coverage } from '../../components/coverage/coverage.js';
import type { Column } from '../../components/data-list/columns.js';
import { DataList } from '../../components/data-list/data-list.js';
import { Empty } from '../../components/state/state.js';
import { directWord } from './columns.js';
import { HealthText } from './health.js';

type Row = RouterOutputs['intelligence']['getPackageHealth']['items'][number];

/** Packages that are deprecated, unmaintained or malicious. */
export function AtRisk({ projectId }: { readonly projectId: string }) {
  const input = { project_id: projectId };
  const query = useInfiniteQuery(pages(api.intelligence.getPackageHealth, client.intelligence.getPackageHealth, input));
  const columns = columnsOf(projectId);
  return (
    <DataList
      label="Packages of poor health"
      query={query}
      columns={columns}
      rowId={({ item_id }) => item_id}
      empty={
        <Empty title="No package is known to be deprecated, unmaintained or malicious.">
          {query.data?.pages[0] !== undefined && <Coverage coverage={query.data.pages[0].coverage} />}
        </Empty>
      }
    />
  );
}

function columnsOf(projectId: string): Column<Row>[] {
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
