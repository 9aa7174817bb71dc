import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../../client/index.js';
import { Tag } from '../../components/badge/badge.js';
import type { Column } from '../../components/data-list/columns.js';
import { findingColumns } from '../../components/finding/finding-columns.js';
import type { Shown } from '../../components/finding/shown.js';
import { percent } from '../../components/number/number.js';
import { layerWords } from '../../words.js';
import styles from './images.module.css';

export type ImageFinding = RouterOutputs['containers']['listFindings']['items'][number];

/** The columns of a list of findings in images. */
export function imageFindingColumns({ projectId, withState }: Shown): Column<ImageFinding>[] {
  const columns: (Column<ImageFinding> | false)[] = [
    findingColumns.tier,
    {
      id: 'vulnerability',
      header: 'Finding',
      narrow: 'first',
      cell: (finding) => <FindingLink finding={finding} projectId={projectId} />,
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
    projectId === undefined && { ...findingColumns.project, room: 'most' },
    {
      id: 'tools',
      header: 'Seen by',
      room: 'much',
      cell: ({ seen_by }) => seen_by.map(({ tool }) => tool).join(', '),
    },
    findingColumns.seen,
    withState && findingColumns.state,
  ];
  return columns.filter((column) => column !== false);
}

/** The last part of a ref, which says most: `shop/web:1.2`. */
function ShortRef({ text }: { readonly text: string }) {
  return <span title={text}>{text.split('/').slice(-2).join('/')}</span>;
}

function FindingLink({
  finding,
  projectId,
}: {
  readonly finding: ImageFinding;
  readonly projectId: string | undefined;
}) {
  const { id: findingId, vulnerability_id, project } = finding;
  if (projectId !== undefined) {
    const params = { projectId, findingId };
    return (
      <Link to="/projects/$projectId/images/$findingId" params={params} search={true} data-row-link>
        {vulnerability_id}
      </Link>
    );
  }
  const params = { projectId: project?.id ?? '', findingId };
  return (
    <Link to="/images/$projectId/$findingId" params={params} search={true} data-row-link>
      {vulnerability_id}
    </Link>
  );
}
