import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMay } from '../../api/session.js';
import { FilterBar, FilterSelect } from '../../components/chips/chips.js';
import { ourCommand } from '../../components/copy/our-command.js';
import { Coverage } from '../../components/coverage/coverage.js';
import { DataList } from '../../components/data-list/data-list.js';
import { Split } from '../../components/detail/detail.js';
import { namesOf } from '../../components/field/options.js';
import { DomainAnswer, DomainCoverage } from '../../components/finding/domain-answer.js';
import { counted } from '../../components/format/format.js';
import { GroupBar } from '../../components/groups/groups.js';
import { Empty, Page } from '../../components/page/page.js';
import { listOf, useProjectId } from '../../components/posture/scope.js';
import { type Scope, scoped } from '../../components/posture/types.js';
import { LinkTabs } from '../../components/tabs/link-tabs.js';
import { domainWords, severityWords } from '../../words.js';
import type { FindingsOf } from './columns.js';
import type { FindingSearch } from './search.js';

const routes = {
  code: ['/frame/code', '/frame/projects/$projectId/code'],
  running_app: ['/frame/running-app', '/frame/projects/$projectId/running-app'],
  containers: ['/frame/images', '/frame/projects/$projectId/images'],
} as const;

/** A page of scanners' findings: the answer, what was searched, a list, and the detail beside it. */
export function FindingsPage<Row extends { readonly id: string }>({ of }: { readonly of: FindingsOf<Row> }) {
  const { domain, tabs = [] } = of;
  const projectId = useProjectId();
  const [ofAll, ofProject] = routes[domain];
  const search = useSearch({ from: projectId === undefined ? ofAll : ofProject });
  const view = 'view' in search ? search.view : undefined;
  const navigate = useNavigate();
  const { findingId, imageId } = useParams({ strict: false });
  const group = projectId === undefined ? search.group : undefined;
  const list = listOf(domain, { projectId });
  const onSearch = (change: Partial<FindingSearch>) => navigate({ ...list, search: { ...search, ...change } });
  const scope = { domain, projectId, group };
  // A link to a finding alone shows it among findings.
  const Content = findingId === undefined ? tabs.find((tab) => tab.view === view)?.Content : undefined;
  return (
    <Split
      isOpen={findingId !== undefined || imageId !== undefined}
      detail={<Outlet />}
      list={
        <Page title={domainWords[domain]} answer={<DomainAnswer {...scope} />}>
          {projectId === undefined && <GroupBar value={group} onChange={(chosen) => onSearch({ group: chosen })} />}
          <DomainCoverage {...scope} />
          {tabs.length > 0 && (
            <LinkTabs label={`Views: ${domainWords[domain]}`}>
              {tabs.map((tab) => (
                <Link
                  key={tab.name}
                  {...list}
                  search={projectId === undefined ? { group, view: tab.view } : { view: tab.view }}
                  activeOptions={{ explicitUndefined: true }}
                >
                  {tab.name}
                </Link>
              ))}
            </LinkTabs>
          )}
          {Content === undefined ? (
            <FindingsList of={of} projectId={projectId} search={search} onSearch={onSearch} openId={findingId} />
          ) : (
            <Content projectId={projectId} group={group} />
          )}
        </Page>
      }
    />
  );
}

interface FindingsListProps<Row extends { readonly id: string }> {
  readonly of: FindingsOf<Row>;
  readonly projectId: string | undefined;
  readonly search: FindingSearch;
  readonly onSearch: (change: Partial<FindingSearch>) => void;
  readonly openId: string | undefined;
}

const severities = (({ critical, high, medium, low, info }) => ({ critical, high, medium, low, info }))(severityWords);

/** Findings with their filters. None says what was searched. */
function FindingsList<Row extends { readonly id: string }>(props: FindingsListProps<Row>) {
  const { of, projectId, search, onSearch, openId } = props;
  const { severity, source, group } = search;
  const state = search.state === 'fixed' && of.states.fixed === undefined ? undefined : search.state;
  const scope = scoped({ projectId, group });
  const { query, first } = of.useFindings(
    { ...scope, ...(state !== undefined && { state }), ...(severity !== undefined && { severity: [severity] }) },
    source,
  );
  const named = [...(source === undefined ? [] : [source]), ...(of.useSources(scope) ?? [])];
  const hidden = [projectId !== undefined && 'project', state === undefined && 'state'];
  const isFiltered = severity !== undefined || source !== undefined;
  return (
    <>
      <FilterBar total={first && counted(first.total, 'finding')}>
        <FilterSelect<string>
          label="State"
          all="open"
          value={state}
          options={of.states}
          onChange={(next) => onSearch({ state: next === 'fixed' || next === 'all' ? next : undefined })}
        />
        <FilterSelect
          label="Severity"
          value={severity}
          options={severities}
          onChange={(next) => onSearch({ severity: next })}
        />
        <FilterSelect
          label={of.sourceLabel}
          value={source}
          options={namesOf(named)}
          onChange={(next) => onSearch({ source: next })}
        />
      </FilterBar>
      <DataList
        label={`Findings: ${domainWords[of.domain]}`}
        query={query}
        columns={of.columns.filter(({ id }) => !hidden.includes(id))}
        current={openId}
        empty={
          <Empty title={isFiltered ? 'No finding passes these filters.' : `No ${state ?? 'open'} finding.`}>
            <Coverage coverage={first?.coverage ?? null} />
            <UploadHint projectId={projectId} upload={of.upload} />
          </Empty>
        }
      />
    </>
  );
}

/** How a first report comes: the command, and the page that takes one. */
export function UploadHint({ projectId, upload: [sentence, command] }: Pick<FindingsOf<never>, 'upload'> & Scope) {
  const may = useMay(projectId);
  if (!may('sast.uploadReport')) return <p>{sentence}</p>;
  return (
    <p>
      {sentence} <code>{ourCommand(projectId === undefined ? command : command.replace('ID', projectId))}</code>{' '}
      {projectId !== undefined && (
        <Link to="/projects/$projectId/uploads" params={{ projectId }}>
          or upload one here
        </Link>
      )}
    </p>
  );
}
