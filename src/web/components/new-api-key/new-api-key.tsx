import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouterOutputs } from '../../../client/index.js';
import { api } from '../../api/client.js';
import { Button } from '../button/button.js';
import { RadioChoices } from '../choices/choices.js';
import { Modal } from '../dialog/dialog.js';
import { FormActions, SendForm, TextField } from '../field/field.js';
import { ShownOnce } from '../secret/shown-once.js';
import { ExpiryField } from './expiry-field.js';
import { newKeyOf } from './key-values.js';
import { ProjectsField } from './projects-field.js';

export type NewKey = RouterOutputs['apiKeys']['create'];

interface NewApiKeyProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Called when the key is there. */
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
  const queryClient = useQueryClient();
  const [made, setMade] = useState<NewKey | null>(null);
  const create = useMutation(
    api.apiKeys.create.mutationOptions({
      onSuccess: (key) => {
        setMade(key);
        onMade?.(key);
        void queryClient.invalidateQueries(api.apiKeys.pathFilter());
      },
      // The key passes through here alone: no cache keeps it.
      gcTime: 0,
    }),
  );
  const close = () => {
    setMade(null);
    create.reset();
    onClose();
  };
  return (
    <Modal
      open={open}
      onClose={close}
      title={made === null ? 'New API key' : `The key ${made.api_key.name}`}
      deliberate={made !== null}
    >
      {made === null ? (
        <SendForm onSend={(values) => create.mutate(newKeyOf(values, new Date()))} error={create.error}>
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
          <FormActions>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" look="primary" busy={create.isPending}>
              Create key
            </Button>
          </FormActions>
        </SendForm>
      ) : (
        <ShownOnce label="the API key" text={made.key} onDone={close}>
          <p>
            Send it as <code>Authorization: Bearer</code>. Only its hash is kept here: a lost key is revoked and
            replaced.
          </p>
        </ShownOnce>
      )}
    </Modal>
  );
}
