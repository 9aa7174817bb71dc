import { useState } from 'react';
import { api, client, queryClient, type RouterInputs, type RouterOutputs, useChange } from '../../api/client.js';
import { RadioChoices, textsOf } from '../choices/choices.js';
import { type DialogProps, FormDialog } from '../dialog/dialog.js';
import { SelectField, TextField, textOf } from '../field/field.js';
import { exact } from '../format/format.js';
import { ShownOnce } from '../secret/shown-once.js';
import { ProjectsField } from './projects-field.js';

type NewKey = RouterOutputs['apiKeys']['create'];

interface NewApiKeyProps extends DialogProps {
  readonly onMade?: (key: NewKey) => void;
  readonly defaultName?: string;
}

const scopes = [
  {
    value: 'ReadOnly',
    label: 'ReadOnly',
    meaning: 'Lists, gets, checks and finds. It changes nothing. Right for most agents.',
  },
  {
    value: 'ReadWrite',
    label: 'ReadWrite',
    meaning: 'Also creates, updates, deletes, acknowledges, syncs and uploads. Right for a build pipeline.',
  },
];

/** Asks what the key may do, makes it, and shows it once. Only its own button closes the dialog then. Admins only. */
export function NewApiKey({ open, onClose, onMade, defaultName = '' }: NewApiKeyProps) {
  const create = useChange({
    send: client.apiKeys.create.mutate,
    onDone: (key) => {
      onMade?.(key);
      // Not waited for: the key is shown at once.
      void queryClient.invalidateQueries(api.apiKeys.pathFilter());
    },
  });
  const close = () => {
    create.reset();
    onClose();
  };
  const made = create.data;
  return (
    <FormDialog
      {...{ open, onClose, change: create }}
      title={made === undefined ? 'New API key' : `The key ${made.api_key.name}`}
      deliberate={made !== undefined}
      onSend={(values) => create.mutate(newKeyOf(values, new Date()))}
      action="Create key"
      result={
        made && (
          <ShownOnce label="the API key" text={made.key} onDone={close}>
            <p>
              Send it as <code>Authorization: Bearer</code>. Only its hash is kept here: a lost key is revoked and
              replaced.
            </p>
          </ShownOnce>
        )
      }
    >
      <TextField
        name="name"
        label="Name"
        hint="Who or what will use it. The audit log names it."
        placeholder="Claude Code, Ada’s laptop"
        required
        maxLength={100}
        defaultValue={defaultName}
      />
      <RadioChoices name="scope" legend="Scope" choices={scopes} defaultValue="ReadOnly" />
      <ExpiryField />
      <ProjectsField />
    </FormDialog>
  );
}

const dayMs = 86_400_000;

/** When the key ends. A key that ends by itself is one that nobody has to remember. */
function ExpiryField() {
  const [chosen, setChosen] = useState('90');
  const hint =
    chosen === 'never'
      ? 'It works until somebody revokes it. Prefer an end: a forgotten key stays open.'
      : chosen === 'date'
        ? undefined
        : `Until ${exact(new Date(Date.now() + Number(chosen) * dayMs))}.`;
  return (
    <>
      <SelectField
        name="lifetime"
        label="Expires after"
        hint={hint}
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
        options={{ ...lifetimes, date: 'a date', never: 'never' }}
      />
      {chosen === 'date' && (
        <TextField name="expires_at" label="Last day" type="date" required min={localDate(new Date())} />
      )}
    </>
  );
}

/** `2026-11-23` in the reader's zone, as a date field takes it. */
function localDate(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 10);
}

/** Days that a key may live, as the form offers them. */
const lifetimes = { 7: '7 days', 30: '30 days', 90: '90 days', 365: 'a year' } as const;

function newKeyOf(values: FormData, now: Date): RouterInputs['apiKeys']['create'] {
  const expires_at = expiryOf(values, now);
  const projects = textsOf(values, 'project_ids');
  return {
    name: textOf(values, 'name'),
    scope: textOf(values, 'scope') === 'ReadWrite' ? 'ReadWrite' : 'ReadOnly',
    ...(expires_at !== null && { expires_at }),
    ...(textOf(values, 'reach') === 'some' && { project_ids: projects }),
  };
}

/** Null: never. A date ends with that day in the reader's zone. */
function expiryOf(values: FormData, now: Date): string | null {
  const chosen = textOf(values, 'lifetime');
  if (chosen === 'never') return null;
  if (chosen === 'date') {
    const end = new Date(`${textOf(values, 'expires_at')}T23:59:59`);
    return Number.isNaN(end.getTime()) ? '' : end.toISOString();
  }
  return new Date(now.getTime() + Number(chosen) * dayMs).toISOString();
}
