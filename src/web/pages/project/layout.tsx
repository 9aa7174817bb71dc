import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import { api } from '../../api/client.js';
import { Tag } from '../../components/badge/badge.js';
import { Page, PartOf } from '../../components/page/page.js';
import { Failed } from '../../components/state/state.js';
import { LinkTabs } from '../../components/tabs/link-tabs.js';
import { Tip } from '../../components/tip/tip.js';
import { WebLink } from '../../components/web-link/web-link.js';
import { exposureMeanings, exposureWords } from '../../words.js';
import styles from './layout.module.css';

const route = getRouteApi('/frame/projects/$projectId');

/** One project: its name and what people said of it, and tabs to its pages. */
export function ProjectLayout() {
  const { projectId } = route.useParams();
  const { data, error, refetch } = useQuery(api.projects.get.queryOptions({ project_id: projectId }));
  if (data === undefined && error !== null) {
    return (
      <Page title="Project" answer="This project could not be opened.">
        <Failed error={error} onRetry={() => refetch()} />
        <p>
          <Link to="/projects">All projects</Link>
        </p>
      </Page>
    );
  }
  return (
    <PartOf value={data?.name ?? null}>
      <div className={styles.header}>
        <div className={styles.about}>
          <Link to="/projects" className={styles.all}>
            Projects
          </Link>
          <span aria-hidden="true">/</span>
          <strong className={styles.name}>{data?.name ?? '…'}</strong>
          {data !== undefined && <About project={data} />}
        </div>
        <LinkTabs label="Parts of the project">
          <Tab to="/projects/$projectId" exact name="Overview" projectId={projectId} />
          <Tab to="/projects/$projectId/alerts" name="Alerts" projectId={projectId} />
          <Tab to="/projects/$projectId/fixes" name="Fixes" projectId={projectId} />
          <Tab to="/projects/$projectId/code" name="Code" projectId={projectId} />
          <Tab to="/projects/$projectId/running-app" name="Running app" projectId={projectId} />
          <Tab to="/projects/$projectId/images" name="Images" projectId={projectId} />
          <Tab to="/projects/$projectId/packages" name="Packages" projectId={projectId} />
          <Tab to="/projects/$projectId/uploads" name="Uploads" projectId={projectId} />
          <Tab to="/projects/$projectId/webhooks" name="Webhooks" projectId={projectId} />
          <Tab to="/projects/$projectId/settings" name="Settings" projectId={projectId} />
        </LinkTabs>
      </div>
      <Outlet />
    </PartOf>
  );
}

interface TabProps {
  readonly to:
    | '/projects/$projectId'
    | `/projects/$projectId/${'alerts' | 'fixes' | 'code' | 'running-app' | 'images' | 'packages' | 'uploads' | 'webhooks' | 'settings'}`;
  readonly name: string;
  readonly projectId: string;
  readonly exact?: boolean;
}

function Tab({ to, name, projectId, exact = false }: TabProps) {
  return (
    <Link to={to} params={{ projectId }} activeOptions={{ exact, includeSearch: false }} preload="intent">
      {name}
    </Link>
  );
}

function About({ project: { id, exposure, repo } }: { readonly project: RouterOutputs['projects']['get'] }) {
  return (
    <>
      <Link to="/projects/$projectId/settings" params={{ projectId: id }} className={styles.exposure}>
        <Tip text={exposureMeanings[exposure]}>
          <Tag>{exposure === 'unknown' ? 'exposure not declared' : `exposure: ${exposureWords[exposure]}`}</Tag>
        </Tip>
      </Link>
      {repo !== null && (
        <span className={styles.repository}>
          <WebLink href={repo}>{repo.replace(/^https?:\/\//i, '')}</WebLink>
        </span>
      )}
    </>
  );
}
