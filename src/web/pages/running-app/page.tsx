import { getRouteApi, Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FindingsFrame } from '../../components/finding/findings-frame.js';
import { RunningAppFindings } from './findings.js';
import { Targets } from './targets.js';

const all = getRouteApi('/frame/running-app');
const ofProject = getRouteApi('/frame/projects/$projectId/running-app');

export function RunningAppPage() {
  const navigate = all.useNavigate();
  const { view, ...search } = all.useSearch();
  return (
    <View
      projectId={undefined}
      view={view}
      tabs={
        <>
          <Link to="/running-app" search={{ view: undefined }} activeOptions={{ explicitUndefined: true }}>
            Findings
          </Link>
          <Link to="/running-app" search={{ view: 'targets' }}>
            Targets and hosted scans
          </Link>
        </>
      }
    >
      <RunningAppFindings
        projectId={undefined}
        search={search}
        onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
      />
    </View>
  );
}

export function ProjectRunningAppPage() {
  const navigate = ofProject.useNavigate();
  const { projectId } = ofProject.useParams();
  const { view, ...search } = ofProject.useSearch();
  const to = '/projects/$projectId/running-app';
  return (
    <View
      projectId={projectId}
      view={view}
      tabs={
        <>
          <Link to={to} params={{ projectId }} search={{ view: undefined }} activeOptions={{ explicitUndefined: true }}>
            Findings
          </Link>
          <Link to={to} params={{ projectId }} search={{ view: 'targets' }}>
            Targets and hosted scans
          </Link>
        </>
      }
    >
      <RunningAppFindings
        projectId={projectId}
        search={search}
        onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
      />
    </View>
  );
}

interface ViewProps {
  readonly projectId: string | undefined;
  readonly view: 'targets' | undefined;
  readonly tabs: ReactNode;
  readonly children: ReactNode;
}

function View({ projectId, view, tabs, children }: ViewProps) {
  const isOpen = useParams({ strict: false }).findingId !== undefined;
  return (
    <FindingsFrame domain="running_app" projectId={projectId} isOpen={isOpen} tabs={tabs}>
      {view === 'targets' ? <Targets projectId={projectId} /> : children}
    </FindingsFrame>
  );
}
