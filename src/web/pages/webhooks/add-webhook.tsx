import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, queryClient } from '../../api/client.js';
import { useChange } from '../../api/use-change.js';
import { FormDialog } from '../../components/dialog/form-dialog.js';
import { SelectField } from '../../components/field/field.js';
import { ShownOnce } from '../../components/secret/shown-once.js';
import { toast } from '../../components/toast/toast.js';
import { WebhookFields, webhookValues } from './fields.js';
import { type Kind, kindWords } from './webhooks.js';

const route = getRouteApi('/frame/projects/$projectId/webhooks');

const kinds = ['slack', 'googlechat', 'teams', 'discord', 'generic'] as const satisfies readonly Kind[];

interface AddWebhookProps {
  readonly projectId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks where to send what. The signing secret of a generic one is shown once. */
export function AddWebhook({ projectId, open, onClose }: AddWebhookProps) {
  const navigate = route.useNavigate();
  const [kind, setKind] = useState<Kind>('slack');
  const add = useChange({
    send: client.webhooks.add.mutate,
    onDone: ({ webhook, secret }) => {
      // Not waited for: the secret is shown at once.
      void queryClient.invalidateQueries(api.webhooks.list.pathFilter());
      if (secret === null) finish(webhook.id, webhook.name);
    },
  });
  const close = () => {
    add.reset();
    onClose();
  };
  /** Its delivery log opens: a test is the next step. */
  const finish = (id: string, name: string) => {
    toast.done(`${name} was added. Send it a test.`);
    close();
    void navigate({ search: { webhook: id }, resetScroll: false });
  };
  const added = add.data;
  const secret = added?.secret ?? null;
  const send = (values: FormData) => {
    const { url, ...given } = webhookValues(values);
    add.mutate({ project_id: projectId, kind, url: url ?? '', ...given });
  };
  return (
    <FormDialog
      {...{ open, onClose, onSend: send, change: add }}
      title={secret === null ? 'Add a webhook' : `The secret of ${added?.webhook.name ?? ''}`}
      deliberate={secret !== null}
      action="Add webhook"
      result={
        added !== undefined && secret !== null ? (
          <ShownOnce
            label="the signing secret"
            text={secret}
            onDone={() => finish(added.webhook.id, added.webhook.name)}
          >
            <p>
              The receiver checks with it that a message is from here and unchanged, as Standard Webhooks describes. A
              lost one means a new webhook.
            </p>
          </ShownOnce>
        ) : null
      }
    >
      <SelectField
        name="kind"
        label="Kind"
        value={kind}
        onChange={(event) => setKind(kinds.find((each) => each === event.target.value) ?? 'slack')}
        hint={kind === 'generic' ? 'JSON, signed as Standard Webhooks describes.' : undefined}
      >
        {kinds.map((each) => (
          <option key={each} value={each}>
            {kindWords[each]}
          </option>
        ))}
      </SelectField>
      <WebhookFields kind={kind} />
    </FormDialog>
  );
}
