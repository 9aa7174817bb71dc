import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '../../api/client.js';
import { useMay, useSession } from '../../api/session.js';
import { exact } from '../../components/format/format.js';
import { Failed, Skeleton } from '../../components/page/page.js';
import styles from './page.module.css';

/** Between two looks at the key, while the page is visible. */
const pollMs = 3_000;

/** Whether the agent has called. The service notes the first use of a key at once, later ones once a minute. */
export function LiveCheck({ apiKey }: { readonly apiKey: string | null }) {
  const { organisation } = useSession();
  const isAdmin = useMay()('apiKeys.list');
  return (
    <>
      <p className={styles.quiet}>
        Ask the agent “Which organisation are we in Postern?”. It calls <code>get_org</code> and answers{' '}
        {organisation.name}. Then “What should we fix first?”.
      </p>
      {!isAdmin ? (
        <p className={styles.quiet}>Admins see under API Keys when a key was used last.</p>
      ) : apiKey === null ? (
        <p className={styles.check}>Make or enter a key above: this page then shows when the agent calls.</p>
      ) : (
        <Watch lastFour={apiKey.slice(-4)} />
      )}
    </>
  );
}

/** Only the hash of a key is kept, so it is known by its last characters. */
function Watch({ lastFour }: { readonly lastFour: string }) {
  const { data, error, refetch } = useQuery({
    ...api.apiKeys.list.queryOptions({ page_size: 100 }),
    refetchInterval: pollMs,
  });
  const now = useNow();
  if (data === undefined) return error === null ? <Skeleton rows={1} /> : <Failed error={error} onRetry={refetch} />;
  const found = data.items.find(({ hint, revoked_at }) => hint.endsWith(lastFour) && revoked_at === null);
  if (found === undefined) {
    return (
      <p role="status" className={styles.check}>
        No active key of yours ends in {lastFour}
        {data.has_more ? ', among the newest 100' : ''}: this one is refused. See{' '}
        <Link to="/settings/api-keys">API Keys</Link>.
      </p>
    );
  }
  const { name, last_used_at } = found;
  return (
    <div className={styles.check} data-state={last_used_at === null ? 'waiting' : 'called'}>
      <p role="status">
        {last_used_at === null ? `Waiting for the first call by ${name} …` : `It works: ${name} has called.`}
      </p>
      {last_used_at !== null && (
        <p className={styles.quiet} title={exact(last_used_at)}>
          Called {agoOf(last_used_at, now)}. Further calls are noted once a minute.
        </p>
      )}
      {error !== null && <Failed error={error} onRetry={refetch} />}
    </div>
  );
}

function agoOf(at: Date, now: number): string {
  const seconds = Math.max(0, Math.round((now - at.getTime()) / 1_000));
  if (seconds < 120) return `${seconds} s ago`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min ago` : `on ${exact(at)}`;
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
