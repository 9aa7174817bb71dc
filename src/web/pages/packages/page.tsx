import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.js';
import { useMay } from '../../api/session.js';
import { Button } from '../../components/button/button.js';
import { Split } from '../../components/detail/detail.js';
import { DomainCoverage } from '../../components/finding/domain-answer.js';
import { counted } from '../../components/format/format.js';
import { Page } from '../../components/page/page.js';
import { LinkTabs } from '../../components/tabs/link-tabs.js';
import { Export } from './export.js';
import { AddPackage } from './package-actions.js';
import { PackageList } from './package-list.js';
import { AtRisk, Reported } from './views.js';

const route = getRouteApi('/frame/projects/$projectId/packages');

const views = { 'at-risk': AtRisk, reported: Reported, export: Export };

/** The packages of one project: what it tracks, what of it is at risk, and the documents that say so. */
export default function PackagesPage() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const { itemId } = useParams({ strict: false });
  const [isAdding, setIsAdding] = useState(false);
  const may = useMay(projectId);
  const View = search.view === undefined ? null : views[search.view];
  const list = (
    <Page
      title="Packages"
      answer={<Answer projectId={projectId} />}
      actions={
        may('techStack.add') && (
          <Button onClick={() => setIsAdding(true)}>
            <Plus aria-hidden="true" /> Add a package
          </Button>
        )
      }
    >
      <DomainCoverage domain="dependencies" projectId={projectId} />
      <LinkTabs label="Views: packages">
        <Tab projectId={projectId} view={undefined} name="All" />
        <Tab projectId={projectId} view="at-risk" name="Poor health" />
        <Tab projectId={projectId} view="reported" name="Stated by SBOMs" />
        <Tab projectId={projectId} view="export" name="Export" />
      </LinkTabs>
      {View === null ? <PackageList projectId={projectId} search={search} /> : <View projectId={projectId} />}
      <AddPackage projectId={projectId} open={isAdding} onClose={() => setIsAdding(false)} />
    </Page>
  );
  return <Split list={list} detail={<Outlet />} isOpen={itemId !== undefined} />;
}

interface TabProps {
  readonly projectId: string;
  readonly view: keyof typeof views | undefined;
  readonly name: string;
}

function Tab({ projectId, view, name }: TabProps) {
  return (
    <Link
      to="/projects/$projectId/packages"
      params={{ projectId }}
      search={{ view }}
      activeOptions={{ explicitUndefined: true }}
    >
      {name}
    </Link>
  );
}

function Answer({ projectId }: { readonly projectId: string }) {
  const one = { project_id: projectId, page_size: 1 };
  const all = useQuery(api.techStack.list.queryOptions(one));
  const atRisk = useQuery(api.techStack.list.queryOptions({ ...one, at_risk: true }));
  if (all.data === undefined) return <>What this project is built of.</>;
  const { total } = all.data;
  if (total === 0) return <>No package is tracked yet, so nothing can be said about vulnerable ones.</>;
  if (atRisk.data === undefined) return <>{counted(total, 'package')} are tracked.</>;
  return (
    <>
      {counted(total, 'package')} {total === 1 ? 'is' : 'are'} tracked;{' '}
      {atRisk.data.total === 0
        ? 'none of them has'
        : `${counted(atRisk.data.total, 'of them', 'of them')} ${atRisk.data.total === 1 ? 'has' : 'have'}`}{' '}
      an open alert or poor health.
    </>
  );
}
