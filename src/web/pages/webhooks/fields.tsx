import { CheckChoices, textsOf } from '../../components/choices/choices.js';
import { TextField, textOf } from '../../components/field/field.js';
import { eventMeanings, eventWords, type Kind, kindAddresses, type Webhook, type WebhookEvent } from './webhooks.js';

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

export function WebhookFields({ kind, webhook }: WebhookFieldsProps) {
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
export function webhookValues(values: FormData) {
  const chosen = textsOf(values, 'events');
  return {
    name: textOf(values, 'name').trim(),
    url: textOf(values, 'url').trim() || null,
    events: events.filter((event) => chosen.includes(event)),
  };
}
