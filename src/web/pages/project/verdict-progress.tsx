import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api, queryClient } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { count } from '../../components/number/number.js';
import styles from './verdict-progress.module.css';

const pollMs = 3_000;

/** How far verdicts are, while they are brought up to date. Nothing where they are, or where the plan has none. */
export function VerdictProgress({ projectId }: { readonly projectId: string }) {
  const { organisation } = useSession();
  const { data } = useQuery(
    api.reachability.progress.queryOptions(
      { project_id: projectId },
      {
        enabled: organisation.plan !== 'Free',
        refetchInterval: ({ state }) => (state.data?.pending === true ? pollMs : false),
      },
    ),
  );
  const pending = data?.pending === true;
  const before = useRef(pending);
  useEffect(() => {
    const isDone = before.current && !pending;
    before.current = pending;
    if (!isDone) return;
    void queryClient.invalidateQueries(api.posture.pathFilter());
    void queryClient.invalidateQueries(api.alerts.pathFilter());
  }, [pending]);
  if (data === undefined || !pending) return null;
  return (
    <div className={styles.progress} role="status">
      <label htmlFor="verdict-progress">
        Verdicts are being brought up to date: {count(data.judged)} of {count(data.alerts)} alerts are judged. What is
        below may change.
      </label>
      <progress id="verdict-progress" value={data.judged} max={Math.max(data.alerts, 1)} />
    </div>
  );
}
