import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { documentUrl } from '../../../client/index.js';
import { api, client } from '../../api/client.js';
import { useMay } from '../../api/may.js';
import { pages } from '../../api/pages.js';
import { buttonClass } from '../../components/button/button.js';
import { DataList } from '../../components/data-list/data-list.js';
import { counted } from '../../components/number/number.js';
import { Page } from '../../components/page/page.js';
import { Empty } from '../../components/state/state.js';
import { relative } from '../../components/time/format.js';
import { auditColumns } from './columns.js';
import type { Entry } from './difference.js';
import { EntryDialog } from './entry-dialog.js';
import { AuditFilters } from './filter-bar.js';
import { type AuditSearch, filtersOf, rangeOf } from './filters.js';

const route = getRouteApi('/frame/settings/audit-log');

function auditLog(search: AuditSearch) {
  const filters = filtersOf(search);
  return pages(api.organisation.getAuditLog, client.organisation.getAuditLog, filters);
}

export function AuditLogPage() {
  const search = route.useSearch();
  const query = useInfiniteQuery(auditLog(search));
  const first = query.data?.pages[0];
  const entries = query.data?.pages.flatMap(({ items }) => items);
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
        rowId={({ id }) => id}
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
      <EntryDialog id={open} entries={entries} />
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
