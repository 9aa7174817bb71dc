import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isPosternError, type RouterInputs, type RouterOutputs } from '../../../client/index.js';
import { api, client } from '../../api/client.js';
import { sessionQuery } from '../../api/session.js';
import { Button } from '../../components/button/button.js';
import { FormActions, SendForm, TextField, textOf } from '../../components/field/field.js';
import { toast } from '../../components/toast/toast.js';
import styles from './page.module.css';

type Organisation = RouterOutputs['organisation']['get'];

interface Values {
  readonly name: string;
  readonly contact_email: string | null;
}

/**
 * Changes only what the reader changed. Somebody else's change meanwhile is shown first, and nothing that was typed is lost.
 */
export function OrganisationForm({ organisation }: { readonly organisation: Organisation }) {
  const queryClient = useQueryClient();
  /** What the reader saw when the form was filled. A refetch in the background does not change it. */
  const [seen, setSeen] = useState(organisation);
  const update = useMutation({
    mutationFn: (changes: RouterInputs['organisation']['update']) => client.organisation.update.mutate(changes),
    onSuccess: async (after) => {
      setSeen(after);
      queryClient.setQueryData(api.organisation.get.queryKey({}), after);
      toast.done('Saved');
      // The frame shows its name.
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    onError: (error) => {
      if (isConflict(error)) void queryClient.invalidateQueries(api.organisation.get.pathFilter());
    },
  });
  const { error } = update;
  const isOlder = isConflict(error) && organisation.revision !== seen.revision;
  const save = (values: FormData) => {
    const changes = changesOf(
      { name: textOf(values, 'name').trim(), contact_email: textOf(values, 'contact_email').trim() || null },
      seen,
    );
    if (Object.keys(changes).length === 0) toast.done('Nothing was changed');
    // Who has seen that it was changed meanwhile, and saves again, means it.
    else update.mutate({ ...changes, expected_revision: (isOlder ? organisation : seen).revision });
  };
  const takeTheirs = () => {
    setSeen(organisation);
    update.reset();
  };
  return (
    <SendForm key={seen.revision} onSend={save} error={isConflict(error) ? null : error}>
      {isOlder && (
        <div role="alert" className={styles.conflict}>
          <strong>Somebody changed it meanwhile</strong>
          <p>
            It is now called “{organisation.name}”, with the contact {organisation.contact_email ?? 'removed'}.
          </p>
          <FormActions>
            <Button size="small" onClick={takeTheirs}>
              Take theirs
            </Button>
            <Button type="submit" size="small" busy={update.isPending}>
              Save mine over it
            </Button>
          </FormActions>
        </div>
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

function isConflict(error: unknown): boolean {
  return isPosternError(error) && error.data.reason === 'revision_mismatch';
}
