import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RouterInputs, RouterOutputs } from '../../../client/index.js';
import { api, client } from '../../api/client.js';
import { emptied } from '../../api/emptied.js';
import { isConflict, useSeen } from '../../api/seen.js';
import { sessionQuery } from '../../api/session.js';
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
  const queryClient = useQueryClient();
  const update = useMutation({
    mutationFn: (changes: RouterInputs['organisation']['update']) => client.organisation.update.mutate(changes),
    onSuccess: async (after) => {
      setSeen(after);
      queryClient.setQueryData(api.organisation.get.queryKey({}), (before) => before && { ...before, ...after });
      toast.done('Saved');
      // The frame shows its name.
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    onError: (refused) => {
      if (isConflict(refused)) void queryClient.invalidateQueries(api.organisation.get.pathFilter());
    },
  });
  const { error } = update;
  const { seen, setSeen, isOlder, expected } = useSeen(organisation, error);
  const save = (values: FormData) => {
    const changes = changesOf(
      { name: textOf(values, 'name').trim(), contact_email: textOf(values, 'contact_email').trim() || null },
      seen,
    );
    if (Object.keys(changes).length === 0) toast.done('Nothing was changed');
    else update.mutate({ ...emptied(changes), expected_revision: expected });
  };
  const takeTheirs = () => {
    setSeen(organisation);
    update.reset();
  };
  return (
    <SendForm key={seen.revision} onSend={save} error={isConflict(error) ? null : error}>
      {isOlder && (
        <Conflict onTakeTheirs={takeTheirs} busy={update.isPending}>
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
