import { useState } from 'react';
import { api, client } from '../../api/client.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../../components/button/button.js';
import { FormActions, SendForm, TextField, textOf } from '../../components/field/field.js';
import { counted } from '../../components/number/number.js';
import { NewPasswordField } from '../../components/password/new-password-field.js';

/** The current password is asked for, so that a session left open does not become an account taken over. */
export function ChangePassword() {
  /** Counts the changes: a form that was sent begins anew, and is empty. */
  const [changes, setChanges] = useState(0);
  const change = useChange({
    send: client.session.changePassword.mutate,
    done: ({ ended_sessions }) => {
      const others = ended_sessions === 0 ? '' : `; ${counted(ended_sessions, 'other session')} ended`;
      return `Your password was changed${others}`;
    },
    onDone: () => setChanges((count) => count + 1),
    stale: [api.session.list.pathFilter()],
  });
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
