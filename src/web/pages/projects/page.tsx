import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { api, client } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import { FilterBar, FilterSelect } from '../../components/chips/chips.js';
import { DataList } from '../../components/data-list/data-list.js';
import { counted } from '../../components/number/number.js';
import { Page } from '../../components/page/page.js';
import { postureAnswer } from '../../components/posture/answer.js';
import { NewProject } from '../../components/project-form/new-project.js';
import { SearchField } from '../../components/search-field/search-field.js';
import { Empty } from '../../components/state/state.js';
import { columns } from './columns.js';

const route = getRouteApi('/frame/projects');

export function ProjectsPage() {
  const { q, sort } = route.useSearch();
  const navigate = useNavigate({ from: '/projects' });
  const input = useMemo(() => ({ ...(q !== undefined && { q }), sort: sort ?? ('worst' as const) }), [q, sort]);
  const query = useInfiniteQuery(
    pages(api.posture.listProjects.queryKey(input), (paging, signal) =>
      client.posture.listProjects.query({ ...input, ...paging }, { signal }),
    ),
  );
  const search = useCallback(
    (text: string | undefined) => navigate({ search: (before) => ({ ...before, q: text }), replace: true }),
    [navigate],
  );
  const first = query.data?.pages[0];
  return (
    <Page title="Projects" answer={answerOf({ first, q, failed: query.error !== null })} actions={<NewProject />}>
      <FilterBar total={first === undefined ? undefined : counted(first.total, 'project')}>
        <SearchField label="Part of the name" value={q} onChange={search} />
        <FilterSelect
          label="Sorted by"
          all="the worst"
          value={sort}
          options={{ name: 'name' }}
          onChange={(chosen) => navigate({ search: (before) => ({ ...before, sort: chosen }) })}
        />
      </FilterBar>
      <DataList
        label="Projects"
        query={query}
        columns={columns}
        rowId={({ id }) => id}
        empty={
          q === undefined ? (
            <Empty title="There is no project yet, so nothing was looked at.">
              <NewProject />
            </Empty>
          ) : (
            <Empty title={`No project has “${q}” in its name.`}>All projects of the organisation were searched.</Empty>
          )
        }
      />
    </Page>
  );
}

interface Asked {
  readonly first: Parameters<typeof postureAnswer>[0] | undefined;
  readonly q: string | undefined;
  readonly failed: boolean;
}

function answerOf({ first, q, failed }: Asked): string {
  if (first === undefined) return failed ? 'The projects could not be loaded.' : 'Looking at all projects …';
  return postureAnswer(first, new Date()) ?? (q === undefined ? 'No project yet.' : 'No project has this name.');
}
