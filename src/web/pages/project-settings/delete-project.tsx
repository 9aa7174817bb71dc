import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, client, queryClient } from '../../api/client.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../../components/button/button.js';
import { ConfirmAction } from '../../components/dialog/confirm-action.js';
import { TextField } from '../../components/field/field.js';
import styles from './delete-project.module.css';

/** Deletes the project after its name was typed. */
export function DeleteProject({
  project: { id, name },
}: {
  readonly project: { readonly id: string; readonly name: string };
}) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const navigate = useNavigate();
  const remove = useChange({
    send: client.projects.delete.mutate,
    done: () => `${name} was deleted`,
    onDone: async () => {
      // First away from its pages: they would ask for what is no longer there.
      await navigate({ to: '/projects' });
      queryClient.removeQueries(api.projects.get.queryFilter({ project_id: id }));
    },
    stale: [{}],
  });
  const close = () => {
    setOpen(false);
    setTyped('');
  };
  return (
    <div className={styles.delete}>
      <p>
        The project goes with its packages, alerts, verdicts, overrides, findings, webhooks and history. This cannot be
        undone.
      </p>
      <Button onClick={() => setOpen(true)}>
        <Trash2 aria-hidden="true" /> Delete project
      </Button>
      <ConfirmAction
        target={isOpen ? { project_id: id } : null}
        onClose={close}
        title={() => `Delete ${name}?`}
        description={() => (
          <div className={styles.ask}>
            <p>All that is known of it is deleted for good, for everybody.</p>
            <TextField
              name="name"
              label={`Type ${name} to confirm`}
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
        )}
        action="Delete project"
        ready={typed.trim() === name}
        mutation={remove}
      />
    </div>
  );
}
