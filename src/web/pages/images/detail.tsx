import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import type { Detail } from '../../components/detail/detail.js';
import { FindingDetail } from '../../components/finding/finding-detail.js';
import { FindingFacts } from './finding-facts.js';

const all = getRouteApi('/frame/images/$projectId/$findingId');
const ofProject = getRouteApi('/frame/projects/$projectId/images/$findingId');

export function ImageFindingPage() {
  return (
    <ListedFinding
      {...all.useParams()}
      close={(look) => (
        <Link
          from="/images/$projectId/$findingId"
          to="/images"
          search={(before) => ({ ...before, view: 'findings' })}
          {...look}
        />
      )}
    />
  );
}

export function ProjectImageFindingPage() {
  const { projectId, findingId } = ofProject.useParams();
  return (
    <ListedFinding
      projectId={projectId}
      findingId={findingId}
      close={(look) => (
        <Link
          from="/projects/$projectId/images/$findingId"
          to="/projects/$projectId/images"
          params={{ projectId }}
          search={(before) => ({ ...before, view: 'findings' })}
          {...look}
        />
      )}
    />
  );
}

interface ListedFindingProps extends Pick<Parameters<typeof Detail>[0], 'close'> {
  readonly projectId: string;
  readonly findingId: string;
}

function ListedFinding({ projectId, findingId, close }: ListedFindingProps) {
  const input = { project_id: projectId, finding_id: findingId, state: 'all' } as const;
  const query = useQuery(api.containers.listFindings.queryOptions(input));
  return (
    <FindingDetail findingId={findingId} query={query} close={close}>
      {(finding) => <FindingFacts finding={finding} projectId={projectId} />}
    </FindingDetail>
  );
}
