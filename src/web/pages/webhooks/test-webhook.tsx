import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { api, client } from '../../api/client.js';
import { useMay } from '../../api/may.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../../components/button/button.js';
import { Failed } from '../../components/state/state.js';
import { exact } from '../../components/time/format.js';
import styles from './page.module.css';
import type { Delivery, WebhookKey } from './webhooks.js';

interface TestWebhookProps {
  readonly projectId: string;
  readonly webhookId: string;
  readonly isOn: boolean;
}

/** Sends a test message and says how it went: the first attempt is made within seconds. */
export function TestWebhook({ projectId, webhookId, isOn }: TestWebhookProps) {
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
