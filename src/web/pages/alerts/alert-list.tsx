import { useInfiniteQuery } from '@tanstack/react-query';
import { Keyboard } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api, client } from '../../api/client.js';
import { useMayIn } from '../../api/may.js';
import { pages } from '../../api/pages.js';
import { Button } from '../../components/button/button.js';
import { Coverage } from '../../components/coverage/coverage.js';
import { DataList } from '../../components/data-list/data-list.js';
import { Page } from '../../components/page/page.js';
import { Empty } from '../../components/state/state.js';
import { AlertsAnswer } from './answer.js';
import { BulkBar } from './bulk-bar.js';
import { alertColumns } from './columns.js';
import { AlertFilterBar } from './filter-bar.js';
import { type AlertFilters, isFiltered, listInput } from './filters.js';
import { KeysDialog } from './keys-dialog.js';
import type { AlertRow } from './rows.js';
import { useListKeys } from './use-list-keys.js';

interface AlertListProps {
  /** Undefined: over all projects. */
  readonly projectId: string | undefined;
  readonly filters: AlertFilters;
  readonly onFilters: (filters: AlertFilters) => void;
  /** The alert whose detail is open. */
  readonly current: string | undefined;
}

const rowId = ({ id }: AlertRow) => id;
const none: ReadonlySet<string> = new Set();

/** Alerts, the worst first as the service sorts them. */
export function AlertList({ projectId, filters, onFilters, current }: AlertListProps) {
  const input = listInput(filters, projectId);
  const query = useInfiniteQuery(pages(api.alerts.list, client.alerts.list, input));
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  const columns = useMemo(() => alertColumns({ projectId, filters }), [projectId, filters]);
  const [selected, setSelected] = useState(none);
  const chosen = useMemo(() => rows.filter(({ id }) => selected.has(id)), [rows, selected]);
  const mayIn = useMayIn(rows.map(({ project_id }) => project_id));
  const mayDecide = ({ project_id }: AlertRow) => mayIn('alerts.acknowledgeMany', project_id);
  const [isAsking, setIsAsking] = useState(false);
  const [showsKeys, setShowsKeys] = useState(false);
  useListKeys({
    rows: rows.filter(mayDecide),
    chosen,
    onAsk: () => setIsAsking(true),
    onHelp: () => setShowsKeys(true),
  });
  const change = (changed: AlertFilters) => {
    setSelected(none);
    onFilters(changed);
  };
  return (
    <Page
      title="Alerts"
      answer={<AlertsAnswer projectId={projectId} group={filters.group} />}
      actions={
        <Button look="quiet" onClick={() => setShowsKeys(true)} aria-keyshortcuts="?">
          <Keyboard aria-hidden="true" /> Keys
        </Button>
      }
    >
      <AlertFilterBar projectId={projectId} filters={filters} onChange={change} total={query.data?.pages[0]?.total} />
      <div>
        <DataList
          label="Alerts"
          query={query}
          columns={columns}
          rowId={rowId}
          current={current}
          {...(rows.some(mayDecide) && { selection: { ids: selected, onChange: setSelected } })}
          empty={<NoAlerts filters={filters} coverage={query.data?.pages[0]?.coverage ?? null} onFilters={change} />}
        />
        <BulkBar
          rows={chosen.filter(mayDecide)}
          isAsking={isAsking}
          onAsk={setIsAsking}
          onClear={() => {
            setSelected(none);
            setIsAsking(false);
          }}
        />
      </div>
      <KeysDialog open={showsKeys} onClose={() => setShowsKeys(false)} />
    </Page>
  );
}

interface NoAlertsProps {
  readonly filters: AlertFilters;
  readonly coverage: Parameters<typeof Coverage>[0]['coverage'];
  readonly onFilters: (filters: AlertFilters) => void;
}

/** No row: what was looked at, and what to do about it. */
function NoAlerts({ filters, coverage, onFilters }: NoAlertsProps) {
  const filtered = isFiltered(filters);
  return (
    <Empty title={filtered ? 'No alert passes these filters.' : 'No alert is unresolved.'}>
      <Coverage coverage={coverage} />
      {filtered && <Button onClick={() => onFilters({})}>Remove all filters</Button>}
    </Empty>
  );
}
