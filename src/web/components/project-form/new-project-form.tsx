import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import { Button } from '../button/button.js';
import { FormActions, SendForm } from '../field/field.js';
import { toast } from '../toast/toast.js';
import { ProjectFields, projectValues } from './project-fields.js';

export default function NewProjectForm({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation(
    api.projects.create.mutationOptions({
      onSuccess: async ({ id, name }) => {
        void queryClient.invalidateQueries(api.projects.pathFilter());
        void queryClient.invalidateQueries(api.posture.pathFilter());
        toast.done(`${name} was created`);
        onClose();
        await navigate({ to: '/projects/$projectId', params: { projectId: id } });
      },
    }),
  );
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
