import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../api/client.js';
import type { ProjectPosture } from '../../components/posture/types.js';

/** When something of the project has come, all that is shown of it is asked for again. */
export function useRefreshWith(posture: ProjectPosture | null): void {
  const queryClient = useQueryClient();
  const seen = useRef<string | null>(null);
  const state =
    posture === null ? null : JSON.stringify([posture.stack_changed_at, posture.usage_reported_at, posture.scanned_at]);
  useEffect(() => {
    const before = seen.current;
    if (state !== null) seen.current = state;
    if (state === null || before === null || before === state) return;
    void queryClient.invalidateQueries(api.posture.pathFilter());
    void queryClient.invalidateQueries(api.alerts.pathFilter());
    void queryClient.invalidateQueries(api.techStack.pathFilter());
    void queryClient.invalidateQueries(api.reachability.pathFilter());
  }, [state, queryClient]);
}
