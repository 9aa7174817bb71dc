import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useProjectId } from '../../api/project-id.js';
import { DomainAnswer, DomainCoverage } from '../../components/finding/domain-answer.js';
import { GroupBar } from '../../components/groups/group-filter.js';
import { Page } from '../../components/page/page.js';
import { listOf } from '../../components/posture/links.js';
import { Split } from '../../components/split/split.js';
import { LinkTabs } from '../../components/tabs/link-tabs.js';
import { domainWords } from '../../words.js';
import type { FindingsOf } from './domain.js';
import { FindingsList } from './findings-list.js';
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
