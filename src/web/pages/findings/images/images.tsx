import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, linkOptions, useParams } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../../client/index.js';
import { api, client } from '../../../api/client.js';
import { pages } from '../../../api/pages.js';
import { useProjectId } from '../../../api/project-id.js';
import { Tag } from '../../../components/badge/badge.js';
import { Coverage } from '../../../components/coverage/coverage.js';
import type { Column } from '../../../components/data-list/columns.js';
import { DataList } from '../../../components/data-list/data-list.js';
import { type Scope, scoped } from '../../../components/posture/types.js';
import { Empty } from '../../../components/state/state.js';
import { TierCounts } from '../../../components/tier-counts/tier-counts.js';
import { Time } from '../../../components/time/time.js';
import { UploadHint } from '../upload-hint.js';

type Image = RouterOutputs['containers']['listImages']['items'][number];

/** The images that were scanned, with what their newest scans found. */
export function Images({ projectId, group }: Scope) {
  const { imageId } = useParams({ strict: false });
  const input = scoped({ projectId, group });
  const query = useInfiniteQuery(pages(api.containers.listImages, client.containers.listImages, input));
  return (
    <DataList
      label="Images"
      query={query}
      columns={projectId === undefined ? columns : columns.filter(({ id }) => id !== 'project')}
      rowId={({ id }) => id}
      current={imageId}
      empty={
        <Empty title="No image was scanned.">
          <Coverage coverage={query.data?.pages[0]?.coverage ?? null} />
          <UploadHint projectId={projectId} command="reach upload trivy image.json --project ID">
            Images come with reports of Trivy or Grype:
          </UploadHint>
        </Empty>
      }
    />
  );
}

const columns: readonly Column<Image>[] = [
  { id: 'ref', header: 'Image', narrow: 'first', grow: true, cell: (image) => <ImageLink image={image} /> },
  { id: 'tiers', header: 'Open findings', narrow: 'second', cell: ({ tiers }) => <TierCounts counts={tiers} /> },
  { id: 'project', header: 'Project', room: 'some', cell: ({ project }) => project?.name },
  { id: 'os', header: 'System', room: 'some', cell: ({ os }) => os ?? 'not known' },
  {
    id: 'monitored',
    header: 'Monitoring',
    room: 'some',
    cell: ({ monitored }) => (monitored ? <Tag look="good">on</Tag> : <Tag>off</Tag>),
  },
  { id: 'scanned', header: 'Scanned', narrow: 'second', cell: ({ scanned_at }) => <Time at={scanned_at} /> },
];

function ImageLink({ image: { id: imageId, ref, project } }: { readonly image: Image }) {
  const projectId = useProjectId();
  const link =
    projectId === undefined
      ? linkOptions({ to: '/images/image/$projectId/$imageId', params: { projectId: project?.id ?? '', imageId } })
      : linkOptions({ to: '/projects/$projectId/images/image/$imageId', params: { projectId, imageId } });
  return (
    <Link {...link} data-row-link>
      {ref}
    </Link>
  );
}
