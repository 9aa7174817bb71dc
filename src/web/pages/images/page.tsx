import { getRouteApi, Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FindingsFrame } from '../../components/finding/findings-frame.js';
import { ImageFindings } from './findings.js';
import { Images } from './images.js';

const all = getRouteApi('/frame/images');
const ofProject = getRouteApi('/frame/projects/$projectId/images');

/** The first tab has no `view` in its address, and is current only where there is none. */
const first = { search: { view: undefined }, activeOptions: { explicitUndefined: true } } as const;

export function ImagesPage() {
  const navigate = all.useNavigate();
  const { view, ...search } = all.useSearch();
  return (
    <View
      group={search.group}
      onGroup={(group) => navigate({ search: (before) => ({ ...before, group }) })}
      view={view}
      tabs={
        <>
          <Link to="/images" {...first} search={({ group }) => ({ group, view: undefined })}>
            Images
          </Link>
          <Link to="/images" search={({ group }) => ({ group, view: 'findings' })}>
            Findings
          </Link>
        </>
      }
    >
      <ImageFindings
        projectId={undefined}
        search={search}
        onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
      />
    </View>
  );
}

export function ProjectImagesPage() {
  const navigate = ofProject.useNavigate();
  const { projectId } = ofProject.useParams();
  const { view, ...search } = ofProject.useSearch();
  const to = '/projects/$projectId/images';
  return (
    <View
      projectId={projectId}
      view={view}
      tabs={
        <>
          <Link to={to} params={{ projectId }} {...first}>
            Images
          </Link>
          <Link to={to} params={{ projectId }} search={{ view: 'findings' }}>
            Findings
          </Link>
        </>
      }
    >
      <ImageFindings
        projectId={projectId}
        search={search}
        onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
      />
    </View>
  );
}

interface ViewProps extends Pick<Parameters<typeof FindingsFrame>[0], 'projectId' | 'group' | 'onGroup'> {
  readonly view: 'findings' | undefined;
  readonly tabs: ReactNode;
  readonly children: ReactNode;
}

function View({ view, tabs, children, ...scope }: ViewProps) {
  const { findingId, imageId } = useParams({ strict: false });
  const isOpen = findingId !== undefined || imageId !== undefined;
  // A link to a finding alone shows it among findings.
  const isFindings = view === 'findings' || findingId !== undefined;
  return (
    <FindingsFrame domain="containers" {...scope} isOpen={isOpen} tabs={tabs}>
      {isFindings ? children : <Images projectId={scope.projectId} group={scope.group} />}
    </FindingsFrame>
  );
}
