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
      group={search.group}
      onGroup={(group) => navigate({ search: (before) => ({ ...before, group }) })}
      view={view}
      tabs={
        <>
          <Link
            to="/running-app"
            search={({ group }) => ({ group, view: undefined })}
            activeOptions={{ explicitUndefined: true }}
          >
            Findings
          </Link>
          <Link to="/running-app" search={({ group }) => ({ group, view: 'targets' })}>
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

interface ViewProps extends Pick<Parameters<typeof FindingsFrame>[0], 'projectId' | 'group' | 'onGroup'> {
  readonly view: 'targets' | undefined;
  readonly tabs: ReactNode;
  readonly children: ReactNode;
}

function View({ view, tabs, children, ...scope }: ViewProps) {
  const isOpen = useParams({ strict: false }).findingId !== undefined;
  return (
    <FindingsFrame domain="running_app" {...scope} isOpen={isOpen} tabs={tabs}>
      {view === 'targets' ? <Targets projectId={scope.projectId} group={scope.group} /> : children}
    </FindingsFrame>
  );
}
