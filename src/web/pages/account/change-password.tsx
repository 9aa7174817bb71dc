import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.js';
import { Button } from '../../components/button/button.js';
import { FormActions, SendForm, TextField, textOf } from '../../components/field/field.js';
import { counted } from '../../components/number/number.js';
import { NewPasswordField } from '../../components/password/new-password-field.js';
import { toast } from '../../components/toast/toast.js';

/** The current password is asked for, so that a session left open does not become an account taken over. */
export function ChangePassword() {
  const queryClient = useQueryClient();
  /** Counts the changes: a form that was sent begins anew, and is empty. */
  const [changes, setChanges] = useState(0);
  const change = useMutation(
    api.session.changePassword.mutationOptions({
      onSuccess: ({ ended_sessions }) => {
        const others = ended_sessions === 0 ? '' : `; ${counted(ended_sessions, 'other session')} ended`;
        toast.done(`Your password was changed${others}`);
        setChanges((count) => count + 1);
        void queryClient.invalidateQueries(api.session.list.pathFilter());
      },
      gcTime: 0,
    }),
  );
  const send = (values: FormData) =>
    change.mutate({
      current_password: textOf(values, 'current_password'),
      new_password: textOf(values, 'new_password'),
    });
  return (
    <SendForm key={changes} onSend={send} error={change.error}>
      <TextField
        name="current_password"
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={256}
      />
      <NewPasswordField name="new_password" label="New password" />
      <FormActions>
        <Button type="submit" busy={change.isPending}>
          Change password
        </Button>
      </FormActions>
      <p>Your other sessions end; this one goes on.</p>
    </SendForm>
  );
}
