import type { RouterOutputs } from '../../../client/index.js';
import { api, client, queryClient } from '../../api/client.js';
import { emptied } from '../../api/emptied.js';
import { useSeen } from '../../api/seen.js';
import { sessionQuery } from '../../api/session.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../../components/button/button.js';
import { Conflict } from '../../components/conflict/conflict.js';
import { FormActions, SendForm, TextField, textOf } from '../../components/field/field.js';
import { toast } from '../../components/toast/toast.js';

type Organisation = RouterOutputs['organisation']['update'];

interface Values {
  readonly name: string;
  readonly contact_email: string | null;
}

/**
 * Changes only what the reader changed. Somebody else's change meanwhile is shown first, and nothing that was typed is lost.
 */
export function OrganisationForm({ organisation }: { readonly organisation: Organisation }) {
  const update = useChange({
    send: client.organisation.update.mutate,
    done: () => 'Saved',
    onDone: (after) => {
      setSeen(after);
      queryClient.setQueryData(api.organisation.get.queryKey({}), (before) => before && { ...before, ...after });
    },
    // The frame shows its name.
    stale: [{ queryKey: sessionQuery.queryKey }],
    changed: api.organisation.get.pathFilter(),
  });
  const { seen, setSeen, error, conflict, expected } = useSeen(organisation, update);
  const save = (values: FormData) => {
    const changes = changesOf(
      { name: textOf(values, 'name').trim(), contact_email: textOf(values, 'contact_email').trim() || null },
      seen,
    );
    if (Object.keys(changes).length === 0) toast.done('Nothing was changed');
    else update.mutate({ ...emptied(changes), expected_revision: expected });
  };
  return (
    <SendForm key={seen.revision} onSend={save} error={error}>
      {conflict !== null && (
        <Conflict {...conflict}>
          It is now called “{organisation.name}”, with the contact {organisation.contact_email ?? 'removed'}.
        </Conflict>
      )}
      <TextField name="name" label="Name" required maxLength={200} defaultValue={seen.name} />
      <TextField
        name="contact_email"
        label="Contact e-mail (optional)"
        type="email"
        maxLength={254}
        hint="For those who run this Postern."
        defaultValue={seen.contact_email ?? ''}
      />
      <FormActions>
        <Button type="submit" look="primary" busy={update.isPending}>
          Save
        </Button>
      </FormActions>
    </SendForm>
  );
}

function changesOf({ name, contact_email }: Values, before: Values): Partial<Values> {
  return {
    ...(name !== before.name && { name }),
    ...(contact_email !== before.contact_email && { contact_email }),
  };
}
