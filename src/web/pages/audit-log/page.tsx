import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { documentUrl } from '../../../client/index.js';
import { api, client, useList } from '../../api/client.js';
import { useMay } from '../../api/session.js';
import { buttonClass } from '../../components/button/button.js';
import { FilterBar, FilterDate, FilterSelect, FilterText } from '../../components/chips/chips.js';
import { DataList } from '../../components/data-list/data-list.js';
import { counted, relative } from '../../components/format/format.js';
import { Empty, Page } from '../../components/page/page.js';
import { actionWords } from './action-words.js';
import { auditColumns, type Entry } from './columns.js';
import { EntryDialog } from './entry-dialog.js';
import { type AuditSearch, filtersOf, rangeOf } from './filters.js';

const route = getRouteApi('/frame/settings/audit-log');

export default function AuditLogPage() {
  const search = route.useSearch();
  const { getAuditLog } = client.organisation;
  const { query, rows, first } = useList(api.organisation.getAuditLog, getAuditLog, filtersOf(search));
  const { entry: open, ...filters } = search;
  const isAdmin = useMay()('organisation.exportAuditLog');
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title="Audit log"
      answer={first === undefined ? 'Who did what to what.' : answerOf(first, isFiltered)}
      actions={isAdmin ? <ExportLink search={search} /> : undefined}
    >
      <AuditFilters total={first && counted(first.total, 'entry', 'entries')} />
      <DataList
        label="Audit log"
        query={query}
        columns={auditColumns}
        current={open}
        empty={
          <Empty title="No entry matches.">
            <p>The whole log was searched. Nothing is ever removed from it.</p>
            <Link to="/settings/audit-log" search={{}}>
              Remove all filters
            </Link>
          </Empty>
        }
      />
      <EntryDialog id={open} entries={first && rows} />
    </Page>
  );
}

/** Everything of the chosen days, whatever else the list is filtered by: a log with gaps shows nothing. */
function ExportLink({ search }: { readonly search: AuditSearch }) {
  const range = rangeOf(search);
  return (
    <a href={documentUrl('organisation.exportAuditLog', range)} download="audit-log.jsonl" className={buttonClass()}>
      <Download aria-hidden="true" /> {Object.keys(range).length === 0 ? 'Export all' : 'Export these days'}
    </a>
  );
}

function answerOf({ items, total }: { readonly items: readonly Entry[]; readonly total: number }, isFiltered: boolean) {
  const [newest] = items;
  if (newest === undefined) return isFiltered ? 'No entry matches these filters.' : 'Nothing has been logged yet.';
  const which = isFiltered
    ? `${counted(total, 'entry matches', 'entries match')} these filters`
    : `${counted(total, 'entry', 'entries')}`;
  return `${which}; the newest is from ${newest.actor.name}, ${relative(newest.at, new Date())}.`;
}

/** A value from the address that the list does not know is still what is filtered by. */
function withChosen(options: Readonly<Record<string, string>>, chosen: string | undefined) {
  return chosen === undefined || Object.hasOwn(options, chosen) ? options : { ...options, [chosen]: chosen };
}

function AuditFilters({ total }: { readonly total: string | undefined }) {
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
