import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { isConflict, useSeen } from '../../api/seen.js';
import { Button } from '../../components/button/button.js';
import { Conflict } from '../../components/conflict/conflict.js';
import { Modal } from '../../components/dialog/dialog.js';
import { FormActions, SendForm } from '../../components/field/field.js';
import { toast } from '../../components/toast/toast.js';
import { WebhookFields, webhookValues } from './fields.js';
import { eventWords, kindWords, type Webhook } from './webhooks.js';

interface EditWebhookProps {
  readonly projectId: string;
  /** As the list has it now. */
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function EditWebhook({ projectId, webhook, onClose }: EditWebhookProps) {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries(api.webhooks.list.pathFilter());
  const update = useMutation(
    api.webhooks.update.mutationOptions({
      onSuccess: ({ name }) => {
        toast.done(`${name} was saved`);
        void refresh();
        onClose();
      },
      onError: (error) => {
        if (isConflict(error)) void refresh();
      },
      gcTime: 0,
    }),
  );
  const { error } = update;
  const { seen, setSeen, isOlder, expected } = useSeen(webhook, error);
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
  const takeTheirs = () => {
    setSeen(webhook);
    update.reset();
  };
  return (
    <Modal open onClose={onClose} title={`Edit ${seen.name}`} description={kindWords[seen.kind]}>
      <SendForm key={seen.revision} onSend={save} error={isConflict(error) ? null : error}>
        {isOlder && (
          <Conflict onTakeTheirs={takeTheirs} busy={update.isPending}>
            It is now called “{webhook.name}”, goes to {webhook.url} and notifies of{' '}
            {webhook.events.map((event) => eventWords[event]).join(', ')}.
          </Conflict>
        )}
        <WebhookFields kind={seen.kind} webhook={seen} />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={update.isPending}>
            Save
          </Button>
        </FormActions>
      </SendForm>
    </Modal>
  );
}
