import { useInfiniteQuery } from '@tanstack/react-query';
import { api, client } from '../../../api/client.js';
import { pages } from '../../../api/pages.js';
import { Button } from '../../../components/button/button.js';
import { Loaded, Skeleton } from '../../../components/state/state.js';
import { calendarDate } from '../../../components/time/format.js';
import { Time } from '../../../components/time/time.js';
import type { Alert } from './answers.js';
import styles from './detail.module.css';
import { Part } from './detail-part.js';
import { historyText } from './history-text.js';

/** What happened to the alert, newest first, and since when that is known. */
export function History({ alert: { project_id, id } }: { readonly alert: Alert }) {
  const input = { project_id, alert_id: id };
  const query = useInfiniteQuery(pages(api.alerts.listHistory, client.alerts.listHistory, input));
  return (
    <Part title="History">
      <Loaded query={query} skeleton={<Skeleton rows={3} height={24} />}>
        {({ pages: [first, ...others] }) => (
          <>
            <ol className={styles.history}>
              {[first, ...others].flatMap((page) =>
                (page?.items ?? []).map((entry) => {
                  const { what, note } = historyText(entry);
                  return (
                    <li key={entry.id}>
                      <span className={styles.when}>
                        {entry.exact ? <Time at={entry.at} /> : calendarDate(entry.at.toISOString().slice(0, 10))}
                      </span>
                      <span>
                        {what}
                        {note !== null && <q className={styles.note}>{note}</q>}
                      </span>
                    </li>
                  );
                }),
              )}
            </ol>
            {first?.items.length === 0 && <p>Nothing is known to have happened to it.</p>}
            {query.hasNextPage && (
              <Button size="small" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
                Show more
              </Button>
            )}
            {first?.complete === false && (
              <p className={styles.quiet}>
                Complete since <Time at={first.known_since} />; of what happened before, some may be missing.
              </p>
            )}
          </>
        )}
      </Loaded>
    </Part>
  );
}
