import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, type LinkProps, Outlet } from '@tanstack/react-router';
import { keysOf } from '../../../shared/schema/unwrap.js';
import { api, type RouterOutputs } from '../../api/client.js';
import { Tag } from '../../components/badge/badge.js';
import { WebLink } from '../../components/link/link.js';
import { Failed, Page, PartOf } from '../../components/page/page.js';
import { LinkTabs, tabLook } from '../../components/tabs/link-tabs.js';
import { Tip } from '../../components/tip/tip.js';
import { exposureMeanings, exposureWords } from '../../words.js';
import styles from './layout.module.css';

const route = getRouteApi('/frame/projects/$projectId');

type ProjectPath = Extract<LinkProps['to'], '/projects/$projectId' | `/projects/$projectId/${string}`>;

/** A tab for each page of a project. What lies deeper is shown beside a list. */
const tabs: Readonly<Record<Exclude<ProjectPath, `/projects/$projectId/${string}/${string}`>, string>> = {
  '/projects/$projectId': 'Overview',
  '/projects/$projectId/alerts': 'Alerts',
  '/projects/$projectId/fixes': 'Fixes',
  '/projects/$projectId/code': 'Code',
  '/projects/$projectId/running-app': 'Running app',
  '/projects/$projectId/images': 'Images',
  '/projects/$projectId/packages': 'Packages',
  '/projects/$projectId/uploads': 'Uploads',
  '/projects/$projectId/webhooks': 'Webhooks',
  '/projects/$projectId/settings': 'Settings',
};

/** One project: its name and what people said of it, and tabs to its pages. */
export default function ProjectLayout() {
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
          {keysOf(tabs).map((path) => (
            <Link key={path} to={path} params={{ projectId }} {...tabLook(path === '/projects/$projectId')}>
              {tabs[path]}
            </Link>
          ))}
        </LinkTabs>
      </div>
      <Outlet />
    </PartOf>
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
