import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isPosternError, type RouterOutputs } from '../../../client/index.js';
import { api } from '../../api/client.js';
import { Button } from '../../components/button/button.js';
import { FormActions, SendForm } from '../../components/field/field.js';
import { ProjectFields, projectValues } from '../../components/project-form/project-fields.js';
import { toast } from '../../components/toast/toast.js';
import { exposureWords } from '../../words.js';
import styles from './project-form.module.css';

type Project = RouterOutputs['projects']['get'];

/** The fields of a project. Only what the reader changed is sent, so that what somebody else changed meanwhile stays. */
export function ProjectForm({ project }: { readonly project: Project }) {
  /** What the fields began with, and what was last saved from here. */
  const [begun, setBegun] = useState(project);
  const [base, setBase] = useState(project);
  const queryClient = useQueryClient();
  const update = useMutation(
    api.projects.update.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(api.projects.get.queryKey({ project_id: saved.id }), saved);
        setBase(saved);
        void queryClient.invalidateQueries(api.projects.pathFilter());
        // The exposure weighs every verdict.
        void queryClient.invalidateQueries(api.posture.pathFilter());
        void queryClient.invalidateQueries(api.alerts.pathFilter());
        void queryClient.invalidateQueries(api.reachability.pathFilter());
        toast.done('The project was saved');
      },
      onError: (error) => {
        if (isConflict(error))
          void queryClient.invalidateQueries(api.projects.get.queryFilter({ project_id: project.id }));
      },
    }),
  );
  const theirs = differences(base, project);
  const send = (values: FormData) => {
    const changed = changes(base, projectValues(values));
    if (Object.keys(changed).length === 0) return toast.done('Nothing has changed');
    // What was changed meanwhile is shown above the fields: saving now is on top of it.
    update.mutate({ project_id: project.id, ...changed, expected_revision: project.revision });
  };
  const load = () => {
    setBegun(project);
    setBase(project);
    update.reset();
  };
  return (
    <SendForm key={begun.revision} onSend={send} error={isConflict(update.error) ? null : update.error}>
      {theirs.length > 0 && (
        <div role="alert" className={styles.conflict}>
          <strong>Somebody else changed this project meanwhile.</strong>
          <p>Nothing of what you typed was saved yet, and it is still below. Saved now:</p>
          <ul>
            {theirs.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p>Save again to change only what you changed, or begin with what is saved.</p>
          <Button size="small" onClick={load}>
            Begin with what is saved
          </Button>
        </div>
      )}
      <ProjectFields project={begun} />
      <FormActions>
        <Button type="submit" look="primary" busy={update.isPending}>
          Save
        </Button>
      </FormActions>
    </SendForm>
  );
}

function isConflict(error: unknown): boolean {
  return isPosternError(error) && error.data.failure === 'conflict';
}

type Values = ReturnType<typeof projectValues>;

/** The values that differ from what the fields began with. */
function changes(before: Project, { name, description, exposure, repo }: Values): Partial<Values> {
  return {
    ...(name !== before.name && { name }),
    ...(description !== before.description && { description }),
    ...(exposure !== before.exposure && { exposure }),
    ...(repo !== before.repo && { repo }),
  };
}

/** What is saved now, of the fields in which it differs. A change of another kind is named too. */
function differences(before: Project, now: Project): string[] {
  if (before.revision === now.revision) return [];
  const lines = [
    before.name !== now.name && `name: ${now.name}`,
    before.description !== now.description && `description: ${now.description ?? 'none'}`,
    before.exposure !== now.exposure && `exposure: ${exposureWords[now.exposure]}`,
    before.repo !== now.repo && `repository: ${now.repo ?? 'none'}`,
  ].filter((line) => line !== false);
  return lines.length === 0 ? ['the same as before, saved again'] : lines;
}
