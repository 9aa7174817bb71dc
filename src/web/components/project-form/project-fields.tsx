import { useNavigate } from '@tanstack/react-router';
import { type Exposure, exposures } from '../../../shared/vulnerability-terms.js';
import { api, client, type RouterOutputs, useChange } from '../../api/client.js';
import { exposureMeanings, exposureWords } from '../../words.js';
import { Button } from '../button/button.js';
import { RadioChoices } from '../choices/choices.js';
import { FormActions, SendForm, TextAreaField, TextField, textOf } from '../field/field.js';

type Project = RouterOutputs['projects']['get'];

/** What a person says of a project. Limits are those of the service. */
export function ProjectFields({ project }: { readonly project?: Project }) {
  return (
    <>
      <TextField name="name" label="Name" required maxLength={200} defaultValue={project?.name ?? ''} />
      <TextAreaField
        name="description"
        label="Description (optional)"
        rows={2}
        maxLength={2000}
        defaultValue={project?.description ?? ''}
      />
      <ExposureField defaultValue={project?.exposure ?? 'unknown'} />
      <TextField
        name="repo"
        label="Repository (optional)"
        type="url"
        inputMode="url"
        maxLength={2048}
        placeholder="https://github.com/acme/shop"
        hint="Import sites then link to their lines."
        defaultValue={project?.repo ?? ''}
      />
    </>
  );
}

/** The values of the fields; null where one was left empty. */
export function projectValues(values: FormData) {
  return {
    name: textOf(values, 'name').trim(),
    description: textOf(values, 'description').trim() || null,
    exposure: exposures.find((each) => each === textOf(values, 'exposure')) ?? 'unknown',
    repo: textOf(values, 'repo').trim() || null,
  };
}

const choices = exposures.map((value) => ({
  value,
  label: exposureWords[value].charAt(0).toUpperCase() + exposureWords[value].slice(1),
  meaning: exposureMeanings[value],
}));

/** How far the project can be reached, each choice with what it means. The form's value is called `exposure`. */
function ExposureField({ defaultValue = 'unknown' }: { readonly defaultValue?: Exposure }) {
  return (
    <RadioChoices
      name="exposure"
      legend="Exposure: how far can it be reached?"
      choices={choices}
      defaultValue={defaultValue}
    />
  );
}

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
