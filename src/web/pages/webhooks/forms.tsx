import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, queryClient, useChange } from '../../api/client.js';
import { CheckChoices, textsOf } from '../../components/choices/choices.js';
import { Conflict, useSeen } from '../../components/conflict/conflict.js';
import { type DialogProps, FormDialog } from '../../components/dialog/dialog.js';
import { SelectField, TextField, textOf } from '../../components/field/field.js';
import { ShownOnce } from '../../components/secret/shown-once.js';
import { toast } from '../../components/toast/toast.js';
import {
  eventMeanings,
  eventWords,
  type Kind,
  kindAddresses,
  kindWords,
  type Webhook,
  type WebhookEvent,
} from './webhooks.js';

const route = getRouteApi('/frame/projects/$projectId/webhooks');

const kinds = ['slack', 'googlechat', 'teams', 'discord', 'generic'] as const satisfies readonly Kind[];

interface AddWebhookProps extends DialogProps {
  readonly projectId: string;
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
        options={kindWords}
      />
      <WebhookFields kind={kind} />
    </FormDialog>
  );
}

const events = [
  'alert.red',
  'alert.known_exploited',
  'verdict.band_raised',
  'scan.finished',
  'override.changed',
] as const satisfies readonly WebhookEvent[];

interface WebhookFieldsProps {
  readonly kind: Kind;
  /** The one that is edited. Its address has no secrets, so the field begins empty. */
  readonly webhook?: Webhook;
}

function WebhookFields({ kind, webhook }: WebhookFieldsProps) {
  return (
    <>
      <TextField name="name" label="Name" required maxLength={200} defaultValue={webhook?.name ?? ''} />
      <TextField
        name="url"
        label={webhook === undefined ? 'Address' : 'New address (optional)'}
        type="url"
        inputMode="url"
        autoComplete="off"
        required={webhook === undefined}
        maxLength={2048}
        placeholder={kindAddresses[kind]}
        hint={
          webhook === undefined
            ? 'It is a secret of the receiver: it is kept sealed, and shown without its secret part.'
            : `Leave it empty to keep ${webhook.url}`
        }
      />
      <CheckChoices
        name="events"
        legend="Notify of"
        dense
        choices={events.map((event) => ({ value: event, label: eventWords[event], meaning: eventMeanings[event] }))}
        defaultValues={webhook?.events ?? ['alert.red', 'alert.known_exploited']}
      />
    </>
  );
}

/** The fields' values. Null: the address stays as it is. */
function webhookValues(values: FormData) {
  const chosen = textsOf(values, 'events');
  return {
    name: textOf(values, 'name').trim(),
    url: textOf(values, 'url').trim() || null,
    events: events.filter((event) => chosen.includes(event)),
  };
}

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
