import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api } from '../../api/client.js';
import { FilterBar, FilterSelect, FilterText } from '../../components/chips/chips.js';
import { FilterDate } from '../../components/chips/filter-date.js';
import { actionWords } from './action-words.js';
import type { AuditSearch } from './filters.js';

const route = getRouteApi('/frame/settings/audit-log');

/** A value from the address that the list does not know is still what is filtered by. */
function withChosen(options: Readonly<Record<string, string>>, chosen: string | undefined) {
  return chosen === undefined || Object.hasOwn(options, chosen) ? options : { ...options, [chosen]: chosen };
}

export function AuditFilters({ total }: { readonly total: string | undefined }) {
  const { actor, action, project, since, until } = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: Partial<AuditSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change, entry: undefined }), resetScroll: false });
  const { data } = useQuery(api.projects.list.queryOptions({ page_size: 100 }));
  const projects = useMemo(() => Object.fromEntries((data?.items ?? []).map(({ id, name }) => [id, name])), [data]);
  return (
    <FilterBar total={total}>
      <FilterText
        label="Who"
        value={actor}
        placeholder="name, e-mail, id"
        onChange={(value) => set({ actor: value })}
      />
      <FilterSelect
        label="What"
        value={action}
        options={withChosen(actionWords, action)}
        onChange={(value) => set({ action: value })}
      />
      <FilterSelect
        label="Project"
        value={project}
        options={withChosen(projects, project)}
        onChange={(value) => set({ project: value })}
      />
      <FilterDate label="From" value={since} onChange={(value) => set({ since: value })} />
      <FilterDate label="Until" value={until} onChange={(value) => set({ until: value })} />
    </FilterBar>
  );
}
