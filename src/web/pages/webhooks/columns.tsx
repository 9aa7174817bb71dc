import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { api, client, queryClient } from '../../api/client.js';
import { Tag } from '../../components/badge/badge.js';
import { Button } from '../../components/button/button.js';
import { actionsColumn, type Column } from '../../components/data-list/data-list.js';
import { Time, Tip } from '../../components/tip/tip.js';
import { toast } from '../../components/toast/toast.js';
import styles from './page.module.css';
import { eventWords, kindWords, statusLooks, type Webhook, webhookList } from './webhooks.js';

/** Null for what the reader may not do. */
interface Actions {
  readonly onToggle: ((webhook: Webhook) => void) | null;
  readonly onEdit: ((webhook: Webhook) => void) | null;
  readonly onDelete: ((webhook: Webhook) => void) | null;
}

export function webhookColumns({ onToggle, onEdit, onDelete }: Actions): readonly Column<Webhook>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      grow: true,
      narrow: 'first',
      cell: ({ id, name, url }) => (
        <>
          <Link to="." search={{ webhook: id }} resetScroll={false} data-row-link aria-label={`Deliveries of ${name}`}>
            {name}
          </Link>{' '}
          <code className={styles.quiet}>{url}</code>
        </>
      ),
    },
    { id: 'kind', header: 'Kind', narrow: 'second', cell: ({ kind }) => kindWords[kind] },
    {
      id: 'events',
      header: 'Notifies of',
      room: 'some',
      cell: ({ events }) => <Events events={events} />,
    },
    { id: 'last', header: 'Last delivery', narrow: 'second', cell: ({ last_delivery }) => <Last of={last_delivery} /> },
    {
      id: 'enabled',
      header: 'On',
      narrow: 'second',
      cell: (webhook) =>
        onToggle === null ? (
          onOff(webhook)
        ) : (
          <label className={styles.switch}>
            <input
              type="checkbox"
              checked={webhook.enabled}
              onChange={() => onToggle(webhook)}
              aria-label={`${webhook.name} is on`}
            />
            <span aria-hidden="true">{onOff(webhook)}</span>
          </label>
        ),
    },
    actionsColumn((webhook) => (
      <>
        {onEdit !== null && (
          <Button look="quiet" size="small" onClick={() => onEdit(webhook)} aria-label={`Edit ${webhook.name}`}>
            <Pencil aria-hidden="true" />
          </Button>
        )}
        {onDelete !== null && (
          <Button look="quiet" size="small" onClick={() => onDelete(webhook)} aria-label={`Delete ${webhook.name}`}>
            <Trash2 aria-hidden="true" />
          </Button>
        )}
      </>
    )),
  ];
}

const onOff = ({ enabled }: Webhook) => (enabled ? 'on' : 'off');

function Events({ events }: Pick<Webhook, 'events'>) {
  const words = events.map((event) => eventWords[event]);
  const [first = 'nothing', ...others] = words;
  return (
    <Tip text={words.join(', ')}>
      <span>
        {first}
        {others.length > 0 && ` and ${others.length} more`}
      </span>
    </Tip>
  );
}

function Last({ of }: { readonly of: Webhook['last_delivery'] }) {
  if (of === null) return <span className={styles.quiet}>nothing sent yet</span>;
  return (
    <>
      <Tag look={statusLooks[of.status]}>{of.status}</Tag> <Time at={of.at} />
    </>
  );
}

/** Switches a webhook on or off. The list shows it at once, and as it was before where the service refuses. */
export function useEnabling(projectId: string): (webhook: Webhook) => void {
  const { queryKey } = webhookList(projectId);
  const show = (webhookId: string, enabled: boolean) =>
    queryClient.setQueryData(queryKey, (data) => {
      if (data === undefined) return undefined;
      const change = (item: Webhook) => (item.id === webhookId ? { ...item, enabled } : item);
      return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(change) })) };
    });
  const { mutate } = useMutation({
    mutationFn: ({ id, enabled }: Webhook) =>
      client.webhooks.update.mutate({ project_id: projectId, webhook_id: id, enabled: !enabled }),
    onMutate: async ({ id, enabled }) => {
      await queryClient.cancelQueries({ queryKey });
      show(id, !enabled);
    },
    onError: (error, { id, name, enabled }) => {
      show(id, enabled);
      toast.failed(`${name} is still ${enabled ? 'on' : 'off'}`, error);
    },
    onSettled: () => queryClient.invalidateQueries(api.webhooks.list.pathFilter()),
  });
  return (webhook) => mutate(webhook);
}
