import { useQueries } from '@tanstack/react-query';
import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Keyboard } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api, client, useList } from '../../api/client.js';
import { useMayIn } from '../../api/session.js';
import { Button } from '../../components/button/button.js';
import { Coverage } from '../../components/coverage/coverage.js';
import { DataList } from '../../components/data-list/data-list.js';
import { Split } from '../../components/detail/detail.js';
import { Modal } from '../../components/dialog/dialog.js';
import { counted } from '../../components/format/format.js';
import { Empty, Page } from '../../components/page/page.js';
import { listOf, useProjectId } from '../../components/posture/scope.js';
import { type Scope, scoped } from '../../components/posture/types.js';
import { BulkBar, useListKeys } from './bulk-bar.js';
import { alertColumns } from './columns.js';
import { AlertFilterBar } from './filter-bar.js';
import { type AlertFilters, isFiltered, listInput } from './filters.js';
import styles from './list.module.css';
import type { AlertRow } from './rows.js';

/** Alerts of all projects or of one, and the open one. */
export default function AlertsPage() {
  const projectId = useProjectId();
  const filters = useSearch({ from: projectId === undefined ? '/frame/alerts' : '/frame/projects/$projectId/alerts' });
  const navigate = useNavigate();
  const { alertId } = useParams({ strict: false });
  return (
    <Split
      isOpen={alertId !== undefined}
      detail={<Outlet />}
      list={
        <AlertList
          projectId={projectId}
          filters={filters}
          onFilters={(search) => navigate({ ...listOf('dependencies', { projectId }), search, resetScroll: false })}
          current={alertId}
        />
      }
    />
  );
}

interface AlertListProps {
  readonly projectId: string | undefined;
  readonly filters: AlertFilters;
  readonly onFilters: (filters: AlertFilters) => void;
  readonly current: string | undefined;
}

const none: ReadonlySet<string> = new Set();

/** Alerts, the worst first as the service sorts them. */
function AlertList({ projectId, filters, onFilters, current }: AlertListProps) {
  const input = listInput(filters, projectId);
  const { query, rows, first } = useList(api.alerts.list, client.alerts.list, input);
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
      <AlertFilterBar projectId={projectId} filters={filters} onChange={change} total={first?.total} />
      <div>
        <DataList
          label="Alerts"
          query={query}
          columns={alertColumns({ projectId, filters })}
          current={current}
          {...(rows.some(mayDecide) && { selection: { ids: selected, onChange: setSelected } })}
          empty={<NoAlerts filters={filters} coverage={first?.coverage ?? null} onFilters={change} />}
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

const keys = [
  ['j', 'or arrow down: the next alert'],
  ['k', 'or arrow up: the alert before'],
  ['Enter', 'open it'],
  ['Escape', 'close it'],
  ['x', 'select it'],
  ['a', 'acknowledge the selected alerts, or else this one; an acknowledged one is taken back'],
  ['/', 'search everything'],
  ['?', 'show these keys'],
] as const;

function KeysDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Modal open={open} onClose={onClose} title="Keys">
      <dl className={styles.keys}>
        {keys.map(([key, what]) => (
          <div key={key} className={styles.key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

/** One sentence on the open findings: how many, how bad, and where to begin. */
function AlertsAnswer({ projectId, group }: Scope) {
  const unresolved = { ...scoped({ projectId, group }), resolved: false, page_size: 1 };
  const [all, exploited, likely] = useQueries({
    queries: [
      api.alerts.list.queryOptions(unresolved),
      api.alerts.list.queryOptions({ ...unresolved, kev: true }),
      api.alerts.list.queryOptions({ ...unresolved, band: 'likely_exploitable' }),
    ],
  });
  // The list below says what failed.
  if (all.data === undefined)
    return all.isPending ? 'Counting what is unresolved …' : 'What is unresolved is not known.';
  const { total, items } = all.data;
  const [first] = items;
  if (first === undefined) return 'No alert is unresolved. What was looked at stands below.';
  const known = [
    exploited.data && `${counted(exploited.data.total, 'is', 'are')} known to be exploited`,
    likely.data && `${counted(likely.data.total, 'is', 'are')} likely exploitable`,
  ].filter((part) => part !== undefined);
  const where = projectId === undefined && first.project !== undefined ? ` in ${first.project.name}` : '';
  const name = first.cve ?? first.advisory_ids[0] ?? first.title;
  const bad = known.length === 0 ? '' : `: ${known.join(', ')}`;
  return `${counted(total, 'alert is', 'alerts are')} unresolved${bad}. First comes ${name} in ${first.package.name}${where}.`;
}
