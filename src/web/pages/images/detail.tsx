import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import { Detail } from '../../components/detail/detail.js';
import { FindingSummary } from '../../components/finding/finding.js';
import { Loaded } from '../../components/state/state.js';
import { FindingFacts } from './finding-facts.js';

const all = getRouteApi('/frame/images/$projectId/$findingId');
const ofProject = getRouteApi('/frame/projects/$projectId/images/$findingId');

export function ImageFindingPage() {
  return (
    <FindingDetail
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
    <FindingDetail
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

interface FindingDetailProps extends Pick<Parameters<typeof Detail>[0], 'close'> {
  readonly projectId: string;
  readonly findingId: string;
}

function FindingDetail({ projectId, findingId, close }: FindingDetailProps) {
  const query = useQuery(
    api.containers.listFindings.queryOptions({ project_id: projectId, finding_id: findingId, state: 'all' }),
  );
  const finding = query.data?.items[0];
  return (
    <Detail
      rowId={findingId}
      title={finding?.title ?? 'Finding'}
      answer={finding && <FindingSummary {...finding} />}
      close={close}
    >
      <Loaded query={query}>{() => finding && <FindingFacts finding={finding} projectId={projectId} />}</Loaded>
    </Detail>
  );
}
