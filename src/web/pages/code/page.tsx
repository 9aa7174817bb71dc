import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { RouterInputs } from '../../../client/index.js';
import { api, client } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import { FindingsFrame } from '../../components/finding/findings-frame.js';
import { FindingsList } from '../../components/finding/findings-list.js';
import { type FindingSearch, findingStateOptions } from '../../components/finding/search.js';
import { UploadHint } from '../../components/finding/upload-hint.js';
import { scoped } from '../../components/posture/types.js';
import { codeColumns } from './columns.js';

const all = getRouteApi('/frame/code');
const ofProject = getRouteApi('/frame/projects/$projectId/code');

export function CodePage() {
  const navigate = all.useNavigate();
  return (
    <CodeFindings
      search={all.useSearch()}
      onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}

export function ProjectCodePage() {
  const navigate = ofProject.useNavigate();
  return (
    <CodeFindings
      projectId={ofProject.useParams().projectId}
      search={ofProject.useSearch()}
      onSearch={(change) => navigate({ search: (before) => ({ ...before, ...change }) })}
    />
  );
}

interface CodeFindingsProps {
  readonly projectId?: string;
  readonly search: FindingSearch;
  readonly onSearch: (change: Partial<FindingSearch>) => void;
}

function CodeFindings({ projectId, search, onSearch }: CodeFindingsProps) {
  const { findingId } = useParams({ strict: false });
  const { state, severity, source, group } = search;
  const scope = scoped({ projectId, group });
  const input: RouterInputs['sast']['listFindings'] = {
    ...scope,
    ...(state !== undefined && { state }),
    ...(severity !== undefined && { severity: [severity] }),
    ...(source !== undefined && { source_repo: source }),
  };
  const query = useInfiniteQuery(
    pages(api.sast.listFindings.queryKey(input), (paging, signal) =>
      client.sast.listFindings.query({ ...input, ...paging }, { signal }),
    ),
  );
  const jobs = useQuery(api.sast.listScanJobs.queryOptions({ ...scope, page_size: 100 }));
  const repositories = Object.fromEntries(jobs.data?.items.map(({ source_repo }) => [source_repo, source_repo]) ?? []);
  const withState = state !== undefined;
  const columns = useMemo(() => codeColumns({ projectId, withState }), [projectId, withState]);
  return (
    <FindingsFrame
      domain="code"
      {...(projectId === undefined ? { group, onGroup: (chosen) => onSearch({ group: chosen }) } : { projectId })}
      isOpen={findingId !== undefined}
    >
      <FindingsList
        domain="code"
        search={search}
        onSearch={onSearch}
        query={query}
        columns={columns}
        states={findingStateOptions}
        source={{ label: 'Repository', options: repositories }}
        openId={findingId}
        next={
          <UploadHint projectId={projectId} command="reach upload sarif report.sarif --project ID --repo URL">
            Findings come with SARIF reports of any scanner:
          </UploadHint>
        }
      />
    </FindingsFrame>
  );
}
