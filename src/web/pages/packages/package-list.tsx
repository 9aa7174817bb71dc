import { getRouteApi, Link, useParams } from '@tanstack/react-router';
import { ecosystems } from '../../../shared/packages/ecosystem.js';
import { api, client, type RouterOutputs, useList } from '../../api/client.js';
import { FilterBar, FilterFlag, FilterSelect, FilterText } from '../../components/chips/chips.js';
import { CopyText } from '../../components/copy/copy-button.js';
import { ourCommand } from '../../components/copy/our-command.js';
import { Coverage } from '../../components/coverage/coverage.js';
import { type Column, DataList } from '../../components/data-list/data-list.js';
import { namesOf } from '../../components/field/options.js';
import { counted } from '../../components/format/format.js';
import { Empty } from '../../components/page/page.js';
import { scopeWords } from '../../words.js';
import { AlertsLink, directWord, HealthTags } from './package-words.js';
import type { PackageSearch } from './search.js';

const route = getRouteApi('/frame/projects/$projectId/packages');

interface PackageListProps {
  readonly projectId: string;
  readonly search: PackageSearch;
}

export function PackageList({ projectId, search: { view: _view, ...filters } }: PackageListProps) {
  const navigate = route.useNavigate();
  const { itemId } = useParams({ strict: false });
  const filter = (change: PackageSearch) => navigate({ search: (before) => ({ ...before, ...change }) });
  const { q, ...others } = filters;
  const input = { project_id: projectId, ...others, ...(q !== undefined && { package: q }) };
  const { query, first } = useList(api.techStack.list, client.techStack.list, input);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <FilterBar total={first && counted(first.total, 'package')}>
        <FilterText label="Name" placeholder="part of it" value={filters.q} onChange={(q) => filter({ q })} />
        <FilterSelect<string>
          label="Ecosystem"
          value={filters.ecosystem}
          options={namesOf(ecosystems)}
          onChange={(chosen) => filter({ ecosystem: ecosystems.find((name) => name === chosen) })}
        />
        <FilterSelect
          label="Scope"
          value={filters.scope}
          options={scopeWords}
          onChange={(scope) => filter({ scope })}
        />
        <FilterFlag
          label="How"
          value={filters.direct}
          words={{ true: 'direct', false: 'brought in by others' }}
          onChange={(direct) => filter({ direct })}
        />
        <FilterFlag
          label="At risk"
          value={filters.at_risk || undefined}
          words={{ true: 'alerts or poor health' }}
          onChange={(at_risk) => filter({ at_risk })}
        />
      </FilterBar>
      <DataList
        label="Packages"
        query={query}
        columns={packageColumns(projectId)}
        current={itemId}
        empty={
          <Empty title={isFiltered ? 'No package passes these filters.' : 'No package is tracked.'}>
            <Coverage coverage={first?.coverage ?? null} />
            {!isFiltered && (
              <>
                <p>Sync the lock files of the source tree, or upload an SBOM:</p>
                <CopyText
                  text={ourCommand(`reach sync . --project ${projectId}`)}
                  label="the command that reads lock files"
                />
              </>
            )}
          </Empty>
        }
      />
    </>
  );
}

type Item = RouterOutputs['techStack']['list']['items'][number];

function packageColumns(projectId: string): Column<Item>[] {
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
