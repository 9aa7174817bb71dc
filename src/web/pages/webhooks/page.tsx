import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, client, useList } from '../../api/client.js';
import { useMay } from '../../api/session.js';
import { Button } from '../../components/button/button.js';
import { DataList } from '../../components/data-list/data-list.js';
import { ConfirmAction } from '../../components/dialog/dialog.js';
import { Empty, Page } from '../../components/page/page.js';
import { useEnabling, webhookColumns } from './columns.js';
import { Deliveries } from './deliveries.js';
import { AddWebhook, EditWebhook } from './forms.js';
import { answerOf, type Webhook } from './webhooks.js';

const route = getRouteApi('/frame/projects/$projectId/webhooks');

/** What is open over the page. */
type Open = { readonly kind: 'edit' | 'delete'; readonly webhook: Webhook } | { readonly kind: 'add' };

export default function WebhooksPage() {
  const { projectId } = route.useParams();
  const { webhook: shown } = route.useSearch();
  const { query, rows: webhooks, first } = useList(api.webhooks.list, client.webhooks.list, { project_id: projectId });
  const [open, setOpen] = useState<Open | null>(null);
  const enabling = useEnabling(projectId);
  const may = useMay(projectId);
  const [mayUpdate, mayDelete] = [may('webhooks.update'), may('webhooks.delete')];
  const columns = webhookColumns({
    onToggle: mayUpdate ? enabling : null,
    onEdit: mayUpdate ? (webhook) => setOpen({ kind: 'edit', webhook }) : null,
    onDelete: mayDelete ? (webhook) => setOpen({ kind: 'delete', webhook }) : null,
  });
  const close = () => setOpen(null);
  const find = (kind: 'edit' | 'delete') => (open?.kind === kind ? open.webhook : null);
  const edited = find('edit');
  const add = may('webhooks.add') && (
    <Button look="primary" onClick={() => setOpen({ kind: 'add' })}>
      <Plus aria-hidden="true" /> Add webhook
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      answer={
        first === undefined ? 'Who is notified of what happens in this project.' : answerOf(webhooks, first.total)
      }
      actions={add}
    >
      <DataList
        label="Webhooks"
        query={query}
        columns={columns}
        current={shown}
        empty={
          <Empty title="This project has no webhook.">
            <p>One tells a chat, or a program of yours, of red alerts, raised verdicts and finished scans.</p>
          </Empty>
        }
      />
      {shown !== undefined && (
        <Deliveries key={shown} projectId={projectId} webhook={webhooks.find(({ id }) => id === shown)} id={shown} />
      )}
      <AddWebhook projectId={projectId} open={open?.kind === 'add'} onClose={close} />
      {edited !== null && (
        <EditWebhook
          key={edited.id}
          projectId={projectId}
          webhook={webhooks.find(({ id }) => id === edited.id) ?? edited}
          onClose={close}
        />
      )}
      <DeleteWebhook projectId={projectId} webhook={find('delete')} onClose={close} />
    </Page>
  );
}

interface DeleteWebhookProps {
  readonly projectId: string;
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
}

function DeleteWebhook({ projectId, webhook, onClose }: DeleteWebhookProps) {
  const navigate = route.useNavigate();
  return (
    <ConfirmAction
      target={webhook}
      onClose={onClose}
      title={({ name }) => `Delete ${name}?`}
      description={() => 'Its delivery log goes with it, and what is still queued is not sent. This cannot be undone.'}
      action="Delete"
      send={({ id }: Webhook) => client.webhooks.delete.mutate({ project_id: projectId, webhook_id: id })}
      done={(_, { name }) => `${name} was deleted`}
      onDone={() => navigate({ search: {}, resetScroll: false })}
      stale={[api.webhooks.list.pathFilter()]}
    />
  );
}
