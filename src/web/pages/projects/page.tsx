import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useId, useMemo, useState } from 'react';
import { api, client, queryClient, useList } from '../../api/client.js';
import { useMay } from '../../api/session.js';
import { BulkBar } from '../../components/bulk-bar/bulk-bar.js';
import { Button } from '../../components/button/button.js';
import { FilterBar, FilterSelect, SearchField } from '../../components/chips/chips.js';
import { DataList } from '../../components/data-list/data-list.js';
import { counted } from '../../components/format/format.js';
import { allGroups, GroupFilter, groupName } from '../../components/groups/groups.js';
import { Empty, Page } from '../../components/page/page.js';
import { postureAnswer } from '../../components/posture/answer.js';
import { scoped } from '../../components/posture/types.js';
import { NewProject } from '../../components/project-form/new-project.js';
import { toast } from '../../components/toast/toast.js';
import { columns } from './columns.js';

const route = getRouteApi('/frame/projects');

export default function ProjectsPage() {
  const { q, sort, group } = route.useSearch();
  const navigate = useNavigate({ from: '/projects' });
  const input = useMemo(
    () => ({ ...(q !== undefined && { q }), ...scoped({ group }), sort: sort ?? ('worst' as const) }),
    [q, sort, group],
  );
  const mayAssign = useMayAssign();
  const [selected, setSelected] = useState(none);
  const { query, first } = useList(api.posture.listProjects, client.posture.listProjects, input);
  const search = useCallback(
    (text: string | undefined) => navigate({ search: (before) => ({ ...before, q: text }), replace: true }),
    [navigate],
  );
  // What a filter has left out since is not moved unseen.
  const chosen = query.data?.pages.flatMap(({ items }) => items.filter(({ id }) => selected.has(id))) ?? [];
  return (
    <Page
      title="Projects"
      answer={answerOf({ first, isFiltered: q !== undefined || group !== undefined, failed: query.error !== null })}
      actions={<NewProject />}
    >
      <FilterBar total={first && counted(first.total, 'project')}>
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

const maxAtOnce = 1_000;

/** Puts the selected projects into a group, or takes them out of theirs. Only for admins, where there are groups. */
function AssignBar({ ids, onClear }: { readonly ids: readonly string[]; readonly onClear: () => void }) {
  const select = useId();
  const { data: groups = [] } = useQuery(allGroups);
  const [group, setGroup] = useState('');
  const assign = useMutation({
    mutationFn: async () => {
      let moved = 0;
      for (let at = 0; at < ids.length; at += maxAtOnce) {
        const project_ids = ids.slice(at, at + maxAtOnce);
        moved += (
          await client.groups.assign.mutate({ project_ids, ...(group === '' ? { clear: ['group'] } : { group }) })
        ).moved;
      }
      return moved;
    },
    onSuccess: (moved) => {
      toast.done(`${counted(moved, 'project')} moved`);
      onClear();
    },
    onError: (error) => toast.failed('Not all projects were moved', error),
    // Every list and posture may be filtered by a group.
    onSettled: () => queryClient.invalidateQueries(),
  });
  if (ids.length === 0) return null;
  return (
    <BulkBar label="Selected projects" selected={counted(ids.length, 'project')} onClear={onClear}>
      <label htmlFor={select}>Move to</label>
      <select id={select} value={group} onChange={(event) => setGroup(event.target.value)}>
        <option value="">no group</option>
        {groups.map((each) => (
          <option key={each.id} value={each.id}>
            {groupName(each)}
          </option>
        ))}
      </select>
      <Button size="small" look="primary" onClick={() => assign.mutate()} busy={assign.isPending}>
        Move
      </Button>
    </BulkBar>
  );
}
