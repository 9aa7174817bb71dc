import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { RouterOutputs } from '../../../../client/index.js';
import { api, client } from '../../../api/client.js';
import { pages } from '../../../api/pages.js';
import { Tag } from '../../../components/badge/badge.js';
import { percent } from '../../../components/number/number.js';
import { layerWords } from '../../../words.js';
import { findingColumns, RowLink } from '../columns.js';
import type { FindingsOf } from '../domain.js';
import { FindingsPage } from '../page.js';
import { Images } from './images.js';
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
    return useInfiniteQuery(pages(api.containers.listFindings, client.containers.listFindings, input));
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

export function ImagesPage() {
  return <FindingsPage of={findingsOfImages} />;
}
