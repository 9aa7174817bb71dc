import { useNavigate } from '@tanstack/react-router';
import { api, client } from '../../api/client.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../button/button.js';
import { FormActions, SendForm } from '../field/field.js';
import { ProjectFields, projectValues } from './project-fields.js';

export default function NewProjectForm({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const create = useChange({
    send: client.projects.create.mutate,
    done: ({ name }) => `${name} was created`,
    onDone: ({ id }) => {
      onClose();
      return navigate({ to: '/projects/$projectId', params: { projectId: id } });
    },
    stale: [api.projects.pathFilter(), api.posture.pathFilter()],
  });
  const send = (values: FormData) => {
    const { description, repo, ...given } = projectValues(values);
    create.mutate({ ...given, ...(description !== null && { description }), ...(repo !== null && { repo }) });
  };
  return (
    <SendForm onSend={send} error={create.error}>
      <ProjectFields />
      <FormActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={create.isPending}>
          Create project
        </Button>
      </FormActions>
    </SendForm>
  );
}
