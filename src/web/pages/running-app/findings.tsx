import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { RouterInputs } from '../../../client/index.js';
import { api, client } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import { FindingsList } from '../../components/finding/findings-list.js';
import { type FindingSearch, findingStateOptions } from '../../components/finding/search.js';
import { UploadHint } from '../../components/finding/upload-hint.js';
import { scoped } from '../../components/posture/types.js';
import { appColumns } from './columns.js';

interface RunningAppFindingsProps {
  /** Undefined: all projects. */
  readonly projectId: string | undefined;
  readonly search: FindingSearch;
  readonly onSearch: (change: Partial<FindingSearch>) => void;
}

export function RunningAppFindings({ projectId, search, onSearch }: RunningAppFindingsProps) {
  const { findingId } = useParams({ strict: false });
  const { state, severity, source, group } = search;
  const scope = scoped({ projectId, group });
  const input: RouterInputs['dast']['listFindings'] = {
    ...scope,
    ...(state !== undefined && { state }),
    ...(severity !== undefined && { severity: [severity] }),
    ...(source !== undefined && { target_url: source }),
  };
  const query = useInfiniteQuery(
    pages(api.dast.listFindings.queryKey(input), (paging, signal) =>
      client.dast.listFindings.query({ ...input, ...paging }, { signal }),
    ),
  );
  const jobs = useQuery(api.dast.listScanJobs.queryOptions({ ...scope, page_size: 100 }));
  const sites = Object.fromEntries(jobs.data?.items.map(({ target_url }) => [target_url, target_url]) ?? []);
  const withState = state !== undefined;
  const columns = useMemo(() => appColumns({ projectId, withState }), [projectId, withState]);
  return (
    <FindingsList
      domain="running_app"
      search={search}
      onSearch={onSearch}
      query={query}
      columns={columns}
      states={findingStateOptions}
      source={{ label: 'Site', options: sites }}
      openId={findingId}
      next={
        <UploadHint projectId={projectId} command="reach upload zap zap.json --project ID">
          Findings come with ZAP reports:
        </UploadHint>
      }
    />
  );
}
