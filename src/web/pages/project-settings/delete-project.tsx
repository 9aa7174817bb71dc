import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.js';
import { Button } from '../../components/button/button.js';
import { Confirm } from '../../components/dialog/dialog.js';
import { TextField } from '../../components/field/field.js';
import { toast } from '../../components/toast/toast.js';
import styles from './delete-project.module.css';

/** Deletes the project after its name was typed. */
export function DeleteProject({
  project: { id, name },
}: {
  readonly project: { readonly id: string; readonly name: string };
}) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation(
    api.projects.delete.mutationOptions({
      onSuccess: async () => {
        toast.done(`${name} was deleted`);
        // First away from its pages: they would ask for what is no longer there.
        await navigate({ to: '/projects' });
        queryClient.removeQueries(api.projects.get.queryFilter({ project_id: id }));
        await queryClient.invalidateQueries();
      },
    }),
  );
  const close = () => {
    setOpen(false);
    setTyped('');
    remove.reset();
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
      <Confirm
        open={isOpen}
        onClose={close}
        title={`Delete ${name}?`}
        description={
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
        }
        action="Delete project"
        ready={typed.trim() === name}
        onConfirm={() => remove.mutate({ project_id: id })}
        busy={remove.isPending}
        error={remove.error}
      />
    </div>
  );
}
