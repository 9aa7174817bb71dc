import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.js';
import { Button } from '../button/button.js';
import { Modal } from '../dialog/dialog.js';
import { FormActions, SendForm } from '../field/field.js';
import { toast } from '../toast/toast.js';
import { ProjectFields, projectValues } from './project-fields.js';

/** A button that asks what the project is, makes it, and leads to it. */
export function NewProject({ look = 'primary' }: { readonly look?: 'plain' | 'primary' }) {
  const [isOpen, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation(
    api.projects.create.mutationOptions({
      onSuccess: async ({ id, name }) => {
        void queryClient.invalidateQueries(api.projects.pathFilter());
        void queryClient.invalidateQueries(api.posture.pathFilter());
        toast.done(`${name} was created`);
        await navigate({ to: '/projects/$projectId', params: { projectId: id } });
      },
    }),
  );
  const send = (values: FormData) => {
    const { description, repo, ...given } = projectValues(values);
    create.mutate({ ...given, ...(description !== null && { description }), ...(repo !== null && { repo }) });
  };
  const close = () => {
    setOpen(false);
    create.reset();
  };
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" /> New project
      </Button>
      <Modal
        open={isOpen}
        onClose={close}
        title="New project"
        description="One application or service: what is deployed together."
      >
        <SendForm onSend={send} error={create.error}>
          <ProjectFields />
          <FormActions>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" look="primary" busy={create.isPending}>
              Create project
            </Button>
          </FormActions>
        </SendForm>
      </Modal>
    </>
  );
}
