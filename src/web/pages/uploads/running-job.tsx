import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../api/client.js';
import { Loaded, Skeleton } from '../../components/state/state.js';
import { JobState } from '../../components/upload/job-state.js';
import { refreshAll } from './use-sending.js';

interface RunningJobProps {
  readonly projectId: string;
  readonly uploadId: string;
}

const intervalMs = 1_000;

/** A large upload while the service works on it, then its result. */
export function RunningJob({ projectId, uploadId }: RunningJobProps) {
  const query = useQuery({
    ...api.uploads.get.queryOptions({ project_id: projectId, upload_id: uploadId }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'done' || data?.state === 'failed' ? false : intervalMs),
  });
  const isDone = query.data?.state === 'done';
  useEffect(() => {
    if (isDone) void refreshAll();
  }, [isDone]);
  return (
    <Loaded query={query} skeleton={<Skeleton rows={1} />}>
      {(job) => <JobState job={job} />}
    </Loaded>
  );
}
