import type { RouterOutputs } from '../../../client/index.js';
import { api, client, queryClient } from '../../api/client.js';
import { useChange } from '../../api/use-change.js';
import { RadioChoices } from '../choices/choices.js';
import { FormDialog } from '../dialog/form-dialog.js';
import { TextField } from '../field/field.js';
import { ShownOnce } from '../secret/shown-once.js';
import { ExpiryField } from './expiry-field.js';
import { newKeyOf } from './key-values.js';
import { ProjectsField } from './projects-field.js';

type NewKey = RouterOutputs['apiKeys']['create'];

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
