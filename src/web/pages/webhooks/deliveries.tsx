import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Send, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { api, client, useChange, useList } from '../../api/client.js';
import { useMay } from '../../api/session.js';
import { Tag } from '../../components/badge/badge.js';
import { Button, buttonClass } from '../../components/button/button.js';
import { type Column, DataList } from '../../components/data-list/data-list.js';
import { exact } from '../../components/format/format.js';
import { Empty, Failed, Section } from '../../components/page/page.js';
import { Time } from '../../components/tip/tip.js';
import styles from './page.module.css';
import { type Delivery, eventWords, statusLooks, type Webhook, type WebhookKey } from './webhooks.js';

interface DeliveriesProps {
  readonly projectId: string;
  readonly id: string;
  /** Undefined while the list is loading, or where it is gone. */
  readonly webhook: Webhook | undefined;
}

/** What was sent, with what success. It follows what is still on its way. */
export function Deliveries({ projectId, id, webhook }: DeliveriesProps) {
  const key = { project_id: projectId, webhook_id: id };
  const { query } = useList(api.webhooks.listDeliveries, client.webhooks.listDeliveries, key, intervalFor);
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

interface TestWebhookProps {
  readonly projectId: string;
  readonly webhookId: string;
  readonly isOn: boolean;
}

/** Sends a test message and says how it went: the first attempt is made within seconds. */
function TestWebhook({ projectId, webhookId, isOn }: TestWebhookProps) {
  const may = useMay(projectId);
  const key = { project_id: projectId, webhook_id: webhookId };
  const test = useChange({ send: client.webhooks.test.mutate, stale: [api.webhooks.listDeliveries.pathFilter()] });
  if (!may('webhooks.test')) return null;
  return (
    <div className={styles.test}>
      <Button onClick={() => test.mutate(key)} busy={test.isPending}>
        <Send aria-hidden="true" /> Send a test
      </Button>
      {test.data !== undefined && <Result key={test.data.delivery_id} of={key} deliveryId={test.data.delivery_id} />}
      {test.data === undefined && !isOn && <span>It is off. A test is sent all the same.</span>}
      {test.error !== null && <Failed error={test.error} />}
    </div>
  );
}

/** Follows one delivery until its outcome is known. */
function Result({ of, deliveryId }: { readonly of: WebhookKey; readonly deliveryId: string }) {
  const find = (deliveries: readonly Delivery[] | undefined) => deliveries?.find(({ id }) => id === deliveryId);
  const { data, error } = useQuery({
    ...api.webhooks.listDeliveries.queryOptions({ ...of, page_size: 25 }),
    refetchInterval: ({ state }) => (isOver(find(state.data?.items)) ? false : 1_000),
  });
  const delivery = find(data?.items);
  return (
    <span role="status" data-state={delivery?.status ?? 'queued'} className={styles.result}>
      {error !== null ? 'The test was queued; its outcome cannot be read now.' : outcomeOf(delivery)}
    </span>
  );
}

function isOver(delivery: Delivery | undefined): boolean {
  return delivery?.status === 'delivered' || delivery?.status === 'failed';
}

function outcomeOf(delivery: Delivery | undefined): string {
  switch (delivery?.status) {
    case undefined:
    case 'queued':
      return 'Sending …';
    case 'delivered':
      return 'The test has arrived.';
    case 'failed':
      return `The test failed: ${delivery.last_error ?? 'no reason is known'}.`;
    case 'retrying': {
      const next = delivery.next_attempt_at === null ? '' : ` The next try is at ${exact(delivery.next_attempt_at)}.`;
      return `The test has not arrived yet: ${delivery.last_error ?? 'no reason is known'}.${next}`;
    }
  }
}
