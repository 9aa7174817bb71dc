import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions, useParams } from '@tanstack/react-router';
import { api, client, type RouterOutputs, useList } from '../../../api/client.js';
import { Tag, TierCounts } from '../../../components/badge/badge.js';
import { Coverage } from '../../../components/coverage/coverage.js';
import { type Column, DataList } from '../../../components/data-list/data-list.js';
import { percent } from '../../../components/format/format.js';
import { Empty } from '../../../components/page/page.js';
import { useProjectId } from '../../../components/posture/scope.js';
import { type Scope, scoped } from '../../../components/posture/types.js';
import { Time } from '../../../components/tip/tip.js';
import { layerWords } from '../../../words.js';
import { type FindingsOf, findingColumns, RowLink } from '../columns.js';
import { FindingsPage, UploadHint } from '../page.js';
import styles from './images.module.css';

const findingsOfImages: FindingsOf<RouterOutputs['containers']['listFindings']['items'][number]> = {
  domain: 'containers',
  columns: [
    findingColumns.tier,
    {
      id: 'vulnerability',
      header: 'Finding',
      narrow: 'first',
      cell: (finding) => (
        <RowLink domain="containers" finding={finding}>
          {finding.vulnerability_id}
        </RowLink>
      ),
    },
    {
      id: 'package',
      header: 'Package',
      narrow: 'first',
      grow: true,
      cell: ({ package: { name, version }, fixed_version }) => (
        <>
          {name} {version}
          <span className={styles.quiet}>
            {fixed_version === null ? ', no fixed version known' : ` → ${fixed_version}`}
          </span>
        </>
      ),
    },
    { id: 'kev', header: 'Exploited', room: 'some', cell: ({ kev }) => kev !== null && <Tag look="danger">known</Tag> },
    {
      id: 'epss',
      header: 'EPSS',
      align: 'end',
      room: 'some',
      cell: ({ epss }) => (epss === null ? 'unknown' : percent(epss.probability)),
    },
    { id: 'layer', header: 'Layer', narrow: 'second', cell: ({ layer }) => layerWords[layer] },
    { id: 'image', header: 'Image', room: 'most', cell: ({ image_ref }) => <ShortRef text={image_ref} /> },
    { ...findingColumns.project, room: 'most' },
    { id: 'tools', header: 'Seen by', room: 'much', cell: ({ seen_by }) => seen_by.map(({ tool }) => tool).join(', ') },
    findingColumns.seen,
    findingColumns.state,
  ],
  // Findings of images cannot be asked for by `fixed` alone.
  states: { all: 'all' },
  useFindings: ({ state, ...scope }, source) => {
    const input = { ...scope, ...(state === 'all' && { state }), ...(source !== undefined && { image: source }) };
    return useList(api.containers.listFindings, client.containers.listFindings, input);
  },
  sourceLabel: 'Image',
  useSources: (scope) => {
    const { data } = useQuery(api.containers.listImages.queryOptions({ ...scope, page_size: 100 }));
    return data?.items.map(({ ref }) => ref);
  },
  upload: ['Findings come with reports of Trivy or Grype:', 'reach upload trivy image.json --project ID'],
  tabs: [
    { name: 'Images', view: undefined, Content: Images },
    { name: 'Findings', view: 'findings' },
  ],
};

/** The last part of a ref, which says most: `shop/web:1.2`. */
function ShortRef({ text }: { readonly text: string }) {
  return <span title={text}>{text.split('/').slice(-2).join('/')}</span>;
}

export default function ImagesPage() {
  return <FindingsPage of={findingsOfImages} />;
}

type Image = RouterOutputs['containers']['listImages']['items'][number];

/** The images that were scanned, with what their newest scans found. */
function Images({ projectId, group }: Scope) {
  const { imageId } = useParams({ strict: false });
  const input = scoped({ projectId, group });
  const { query, first } = useList(api.containers.listImages, client.containers.listImages, input);
  return (
    <DataList
      label="Images"
      query={query}
      columns={projectId === undefined ? imageColumns : imageColumns.filter(({ id }) => id !== 'project')}
      current={imageId}
      empty={
        <Empty title="No image was scanned.">
          <Coverage coverage={first?.coverage ?? null} />
          <UploadHint
            projectId={projectId}
            upload={['Images come with reports of Trivy or Grype:', 'reach upload trivy image.json --project ID']}
          />
        </Empty>
      }
    />
  );
}

const imageColumns: readonly Column<Image>[] = [
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
