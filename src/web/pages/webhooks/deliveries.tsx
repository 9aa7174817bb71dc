import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { api, client } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import { Tag } from '../../components/badge/badge.js';
import { buttonClass } from '../../components/button/button.js';
import type { Column } from '../../components/data-list/columns.js';
import { DataList } from '../../components/data-list/data-list.js';
import { Section } from '../../components/page/page.js';
import { Empty } from '../../components/state/state.js';
import { Time } from '../../components/time/time.js';
import styles from './page.module.css';
import { TestWebhook } from './test-webhook.js';
import { type Delivery, eventWords, statusLooks, type Webhook } from './webhooks.js';

interface DeliveriesProps {
  readonly projectId: string;
  readonly id: string;
  /** Undefined while the list is loading, or where it is gone. */
  readonly webhook: Webhook | undefined;
}

function deliveryList(project_id: string, webhook_id: string) {
  const key = { project_id, webhook_id };
  return pages(api.webhooks.listDeliveries, client.webhooks.listDeliveries, key);
}

/** What was sent, with what success. It follows what is still on its way. */
export function Deliveries({ projectId, id, webhook }: DeliveriesProps) {
  const query = useInfiniteQuery({
    ...deliveryList(projectId, id),
    refetchInterval: ({ state }) => intervalFor(state.data?.pages[0]?.items ?? []),
  });
  const begin = useRef<HTMLDivElement>(null);
  useEffect(() => begin.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={begin} className={styles.deliveries}>
      <Section
        title={`Deliveries${webhook === undefined ? '' : ` to ${webhook.name}`}`}
        actions={
          <Link to="." search={{}} resetScroll={false} className={buttonClass('quiet', 'small')}>
            <X aria-hidden="true" /> Close
          </Link>
        }
      >
        <TestWebhook projectId={projectId} webhookId={id} isOn={webhook?.enabled ?? true} />
        <DataList
          label="Deliveries"
          query={query}
          columns={columns}
          rowId={(delivery) => delivery.id}
          empty={
            <Empty title="Nothing was sent in the last 30 days.">
              <p>The log is kept for 30 days. Send a test to see whether messages arrive.</p>
            </Empty>
          }
        />
      </Section>
    </div>
  );
}

/** Milliseconds to the next look; none where nothing is on its way. */
function intervalFor(deliveries: readonly Delivery[]): number | false {
  if (deliveries.some(({ status }) => status === 'queued')) return 1_500;
  return deliveries.some(({ status }) => status === 'retrying') ? 10_000 : false;
}

const names: Readonly<Record<string, string>> = { ...eventWords, test: 'Test' };

const columns: readonly Column<Delivery>[] = [
  {
    id: 'event',
    header: 'Event',
    narrow: 'first',
    cell: ({ event }) => <strong>{names[event] ?? event}</strong>,
  },
  {
    id: 'status',
    header: 'State',
    narrow: 'second',
    cell: ({ status }) => <Tag look={statusLooks[status]}>{status}</Tag>,
  },
  { id: 'attempts', header: 'Attempts', align: 'end', cell: ({ attempts }) => attempts },
  {
    id: 'error',
    header: 'Last error',
    grow: true,
    narrow: 'second',
    cell: ({ last_error, next_attempt_at, status }) => (
      <>
        {last_error !== null && <span className={styles.error}>{last_error}</span>}
        {status === 'retrying' && next_attempt_at !== null && (
          <>
            {' '}
            tries again <Time at={next_attempt_at} />
          </>
        )}
      </>
    ),
  },
  { id: 'queued', header: 'Queued', narrow: 'second', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'delivered',
    header: 'Delivered',
    room: 'some',
    cell: ({ delivered_at }) => (delivered_at === null ? null : <Time at={delivered_at} />),
  },
];
