import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useParams } from '@tanstack/react-router';
import { ecosystems } from '../../../shared/packages/ecosystem.js';
import { api, client } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import { FilterBar, FilterSelect, FilterText } from '../../components/chips/chips.js';
import { CopyText } from '../../components/copy/copy-button.js';
import { ourCommand } from '../../components/copy/our-command.js';
import { Coverage } from '../../components/coverage/coverage.js';
import { DataList } from '../../components/data-list/data-list.js';
import { counted } from '../../components/number/number.js';
import { Empty } from '../../components/state/state.js';
import { scopeWords } from '../../words.js';
import { packageColumns } from './columns.js';
import type { PackageSearch } from './search.js';

const route = getRouteApi('/frame/projects/$projectId/packages');

const ecosystemOptions = Object.fromEntries(ecosystems.map((name) => [name, name]));
const directOptions = { true: 'direct', false: 'brought in by others' };
const riskOptions = { true: 'alerts or poor health' };

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
  const query = useInfiniteQuery(pages(api.techStack.list, client.techStack.list, input));
  const columns = packageColumns(projectId);
  const first = query.data?.pages[0];
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <FilterBar {...(first !== undefined && { total: counted(first.total, 'package') })}>
        <FilterText label="Name" placeholder="part of it" value={filters.q} onChange={(q) => filter({ q })} />
        <FilterSelect<string>
          label="Ecosystem"
          value={filters.ecosystem}
          options={ecosystemOptions}
          onChange={(chosen) => filter({ ecosystem: ecosystems.find((name) => name === chosen) })}
        />
        <FilterSelect
          label="Scope"
          value={filters.scope}
          options={scopeWords}
          onChange={(scope) => filter({ scope })}
        />
        <FilterSelect
          label="How"
          value={flagOf(filters.direct)}
          options={directOptions}
          onChange={(chosen) => filter({ direct: chosen && chosen === 'true' })}
        />
        <FilterSelect
          label="At risk"
          value={filters.at_risk === true ? 'true' : undefined}
          options={riskOptions}
          onChange={(chosen) => filter({ at_risk: chosen && true })}
        />
      </FilterBar>
      <DataList
        label="Packages"
        query={query}
        columns={columns}
        rowId={({ id }) => id}
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

function flagOf(value: boolean | undefined): 'true' | 'false' | undefined {
  if (value === undefined) return undefined;
  return value ? 'true' : 'false';
}
