import { api, client, queryClient, type RouterOutputs, useChange } from '../../api/client.js';
import { useMay } from '../../api/session.js';
import { Conflict, emptied, useSeen } from '../../components/conflict/conflict.js';
import { SendForm, Submit, textOf } from '../../components/field/field.js';
import { GroupField, groupName } from '../../components/groups/groups.js';
import { ProjectFields, projectValues } from '../../components/project-form/project-fields.js';
import { toast } from '../../components/toast/toast.js';
import { exposureWords } from '../../words.js';

type Project = RouterOutputs['projects']['get'];

/** The fields of a project. Only what the reader changed is sent, so that what somebody else changed meanwhile stays. */
export function ProjectForm({ project }: { readonly project: Project }) {
  const update = useChange({
    send: client.projects.update.mutate,
    done: () => 'The project was saved',
    onDone: (saved) => {
      setSeen(saved);
      queryClient.setQueryData(api.projects.get.queryKey({ project_id: saved.id }), saved);
    },
    // The exposure weighs every verdict.
    stale: [api.projects, api.groups, api.posture, api.alerts, api.reachability].map((each) => each.pathFilter()),
    changed: api.projects.get.queryFilter({ project_id: project.id }),
  });
  const isAdmin = useMay()('groups.assign');
  const { seen, setSeen, error, conflict, expected } = useSeen(project, update);
  const send = (values: FormData) => {
    const changed = { ...changes(seen, projectValues(values)), ...(isAdmin && groupChange(seen, values)) };
    if (Object.keys(changed).length === 0) return toast.done('Nothing was changed');
    update.mutate({ project_id: project.id, ...emptied(changed), expected_revision: expected });
  };
  return (
    <SendForm key={seen.revision} onSend={send} error={error}>
      {conflict !== null && <Conflict {...conflict}>Saved now: {differences(seen, project).join('; ')}.</Conflict>}
      <ProjectFields project={seen} />
      {isAdmin && <GroupField name="group" label="Group" current={seen.group} />}
      <Submit busy={update.isPending}>Save</Submit>
    </SendForm>
  );
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

/** Null takes the project out of its group. */
function groupChange(before: Project, values: FormData): { group?: string | null } {
  const group = textOf(values, 'group') || null;
  return group === (before.group?.id ?? null) ? {} : { group };
}

/** What is saved now, of the fields in which it differs. */
function differences(before: Project, now: Project): string[] {
  const lines = [
    before.name !== now.name && `name: ${now.name}`,
    before.description !== now.description && `description: ${now.description ?? 'none'}`,
    before.exposure !== now.exposure && `exposure: ${exposureWords[now.exposure]}`,
    before.repo !== now.repo && `repository: ${now.repo ?? 'none'}`,
    before.group?.id !== now.group?.id && `group: ${now.group === null ? 'none' : groupName(now.group)}`,
  ].filter((line) => line !== false);
  return lines.length === 0 ? ['what it was before'] : lines;
}
