import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { whileRunning } from '../../api/while-running.js';
import { Empty, Loaded } from '../../components/state/state.js';
import { Time } from '../../components/time/time.js';
import { JobState, JobTag } from '../../components/upload/job-state.js';
import { uploadWords } from '../../words.js';
import styles from './uploads.module.css';

/** The jobs of one project's large uploads, with their results. */
export function PastUploads({ projectId }: { readonly projectId: string }) {
  const query = useQuery({
    ...api.uploads.list.queryOptions({ project_id: projectId, page_size: 25 }),
    refetchInterval: whileRunning(({ state }) => state),
  });
  return (
    <Loaded query={query}>
      {({ items, total }) =>
        items.length === 0 ? (
          <Empty title="No large upload in the last 7 days.">
            <p>Small files are answered at once, and leave no job. Their scans are on the pages of their findings.</p>
          </Empty>
        ) : (
          <>
            <ul className={styles.past}>
              {items.map((job) => (
                <li key={job.id}>
                  <header>
                    <JobTag state={job.state} />
                    <strong>{uploadWords[job.procedure] ?? job.procedure}</strong>
                    <span className={styles.quiet}>
                      <Time at={job.received_at} />
                    </span>
                  </header>
                  <JobState job={job} />
                </li>
              ))}
            </ul>
            {total > items.length && (
              <p>
                The newest {items.length} of {total}.
              </p>
            )}
          </>
        )
      }
    </Loaded>
  );
}
