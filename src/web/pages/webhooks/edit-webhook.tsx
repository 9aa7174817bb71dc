import { api, client } from '../../api/client.js';
import { useSeen } from '../../api/seen.js';
import { useChange } from '../../api/use-change.js';
import { Conflict } from '../../components/conflict/conflict.js';
import { FormDialog } from '../../components/dialog/form-dialog.js';
import { WebhookFields, webhookValues } from './fields.js';
import { eventWords, kindWords, type Webhook } from './webhooks.js';

interface EditWebhookProps {
  readonly projectId: string;
  /** As the list has it now. */
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function EditWebhook({ projectId, webhook, onClose }: EditWebhookProps) {
  const update = useChange({
    send: client.webhooks.update.mutate,
    done: ({ name }) => `${name} was saved`,
    onDone: onClose,
    stale: [api.webhooks.list.pathFilter()],
    changed: api.webhooks.list.pathFilter(),
  });
  const { seen, error, conflict, expected } = useSeen(webhook, update);
  const save = (values: FormData) => {
    const { url, ...given } = webhookValues(values);
    update.mutate({
      project_id: projectId,
      webhook_id: webhook.id,
      ...given,
      ...(url !== null && { url }),
      expected_revision: expected,
    });
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Edit ${seen.name}`}
      description={kindWords[seen.kind]}
      version={seen.revision}
      onSend={save}
      change={{ ...update, error }}
      action="Save"
    >
      {conflict !== null && (
        <Conflict {...conflict}>
          It is now called “{webhook.name}”, goes to {webhook.url} and notifies of{' '}
          {webhook.events.map((event) => eventWords[event]).join(', ')}.
        </Conflict>
      )}
      <WebhookFields kind={seen.kind} webhook={seen} />
    </FormDialog>
  );
}
