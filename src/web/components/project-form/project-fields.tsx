import type { RouterOutputs } from '../../../client/index.js';
import { exposures } from '../../../shared/vulnerability-terms.js';
import { TextAreaField, TextField, textOf } from '../field/field.js';
import { ExposureField } from './exposure-field.js';

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
