import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { api, client } from '../../api/client.js';
import { useMay } from '../../api/may.js';
import { pages } from '../../api/pages.js';
import { FilterBar, FilterSelect } from '../../components/chips/chips.js';
import { DataList } from '../../components/data-list/data-list.js';
import { GroupFilter } from '../../components/groups/group-filter.js';
import { allGroups } from '../../components/groups/groups.js';
import { counted } from '../../components/number/number.js';
import { Page } from '../../components/page/page.js';
import { postureAnswer } from '../../components/posture/answer.js';
import { scoped } from '../../components/posture/types.js';
import { NewProject } from '../../components/project-form/new-project.js';
import { SearchField } from '../../components/search-field/search-field.js';
import { Empty } from '../../components/state/state.js';
import { AssignBar } from './assign-bar.js';
import { columns } from './columns.js';

const route = getRouteApi('/frame/projects');

export function ProjectsPage() {
  const { q, sort, group } = route.useSearch();
  const navigate = useNavigate({ from: '/projects' });
  const input = useMemo(
    () => ({ ...(q !== undefined && { q }), ...scoped({ group }), sort: sort ?? ('worst' as const) }),
    [q, sort, group],
  );
  const mayAssign = useMayAssign();
  const [selected, setSelected] = useState(none);
  const query = useInfiniteQuery(pages(api.posture.listProjects, client.posture.listProjects, input));
  const search = useCallback(
    (text: string | undefined) => navigate({ search: (before) => ({ ...before, q: text }), replace: true }),
    [navigate],
  );
  const first = query.data?.pages[0];
  // What a filter has left out since is not moved unseen.
  const chosen = query.data?.pages.flatMap(({ items }) => items.filter(({ id }) => selected.has(id))) ?? [];
  return (
    <Page
      title="Projects"
      answer={answerOf({ first, isFiltered: q !== undefined || group !== undefined, failed: query.error !== null })}
      actions={<NewProject />}
    >
      <FilterBar total={first === undefined ? undefined : counted(first.total, 'project')}>
        <SearchField label="Part of the name" value={q} onChange={search} />
        <GroupFilter
          value={group}
          onChange={(chosen) => navigate({ search: (before) => ({ ...before, group: chosen }) })}
        />
        <FilterSelect
          label="Sorted by"
          all="the worst"
          value={sort}
          options={{ name: 'name' }}
          onChange={(chosen) => navigate({ search: (before) => ({ ...before, sort: chosen }) })}
        />
      </FilterBar>
      <div>
        <DataList
          label="Projects"
          query={query}
          columns={columns}
          rowId={({ id }) => id}
          {...(mayAssign && { selection: { ids: selected, onChange: setSelected } })}
          empty={
            q !== undefined ? (
              <Empty title={`No project has “${q}” in its name.`}>
                {group === undefined
                  ? 'All projects of the organisation were searched.'
                  : 'The projects of the group were searched.'}
              </Empty>
            ) : group !== undefined ? (
              <Empty title="No project is in this group." />
            ) : (
              <Empty title="There is no project yet, so nothing was looked at.">
                <NewProject />
              </Empty>
            )
          }
        />
        <AssignBar ids={chosen.map(({ id }) => id)} onClear={() => setSelected(none)} />
      </div>
    </Page>
  );
}

/** Selecting is for what an admin does with a selection, and needs a group to move projects to. */
function useMayAssign(): boolean {
  const isAdmin = useMay()('groups.assign');
  const { data: groups = [] } = useQuery(allGroups);
  return isAdmin && groups.length > 0;
}

const none: ReadonlySet<string> = new Set();

interface Asked {
  readonly first: Parameters<typeof postureAnswer>[0] | undefined;
  readonly isFiltered: boolean;
  readonly failed: boolean;
}

function answerOf({ first, isFiltered, failed }: Asked): string {
  if (first === undefined) return failed ? 'The projects could not be loaded.' : 'Looking at all projects …';
  return postureAnswer(first, new Date()) ?? (isFiltered ? 'No project passes these filters.' : 'No project yet.');
}
