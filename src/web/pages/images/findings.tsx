import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { RouterInputs } from '../../../client/index.js';
import { api, client } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import { FindingsList } from '../../components/finding/findings-list.js';
import type { FindingSearch } from '../../components/finding/search.js';
import { UploadHint } from '../../components/finding/upload-hint.js';
import { scoped } from '../../components/posture/types.js';
import { imageFindingColumns } from './columns.js';

interface ImageFindingsProps {
  /** Undefined: all projects. */
  readonly projectId: string | undefined;
  readonly search: FindingSearch;
  readonly onSearch: (change: Partial<FindingSearch>) => void;
}

/** Findings of images cannot be asked for by `fixed` alone. */
const states = { all: 'all' };

export function ImageFindings({ projectId, search, onSearch }: ImageFindingsProps) {
  const { findingId } = useParams({ strict: false });
  const { severity, source, group } = search;
  const scope = scoped({ projectId, group });
  const withState = search.state === 'all';
  const input: RouterInputs['containers']['listFindings'] = {
    ...scope,
    ...(withState && { state: 'all' }),
    ...(severity !== undefined && { severity: [severity] }),
    ...(source !== undefined && { image: source }),
  };
  const query = useInfiniteQuery(
    pages(api.containers.listFindings.queryKey(input), (paging, signal) =>
      client.containers.listFindings.query({ ...input, ...paging }, { signal }),
    ),
  );
  const images = useQuery(api.containers.listImages.queryOptions({ ...scope, page_size: 100 }));
  const refs = Object.fromEntries(images.data?.items.map(({ ref }) => [ref, ref]) ?? []);
  const columns = useMemo(() => imageFindingColumns({ projectId, withState }), [projectId, withState]);
  return (
    <FindingsList
      domain="containers"
      search={{ ...search, state: withState ? 'all' : undefined }}
      onSearch={onSearch}
      query={query}
      columns={columns}
      states={states}
      source={{ label: 'Image', options: refs }}
      openId={findingId}
      next={
        <UploadHint projectId={projectId} command="reach upload trivy image.json --project ID">
          Findings come with reports of Trivy or Grype:
        </UploadHint>
      }
    />
  );
}
