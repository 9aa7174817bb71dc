import { api, client, useChange } from '../../api/client.js';
import { Conflict, emptied, useSeen } from '../../components/conflict/conflict.js';
import { FormDialog } from '../../components/dialog/dialog.js';
import { SelectField, TextField, textOf } from '../../components/field/field.js';
import { type Group, GroupField, groupName } from '../../components/groups/groups.js';
import { useMembers } from '../members/members.js';

interface GroupDialogProps {
  /** As the list has it now; null for a new one. */
  readonly group: Group | null;
  readonly onClose: () => void;
}

interface Values extends ReturnType<typeof valuesOf> {
  /** The revision that the reader has seen. */
  readonly expected: number;
}

const unmade = { id: '', name: '', parent: null, owner: null, revision: 0 };

/** Makes a group, or changes one. */
export function GroupDialog({ group, onClose }: GroupDialogProps) {
  const save = useChange({
    send: ({ expected, ...values }: Values) => {
      const { clear, ...given } = emptied(values);
      return group === null
        ? client.groups.create.mutate(given)
        : client.groups.update.mutate({ group: group.id, ...given, clear, expected_revision: expected });
    },
    done: ({ name }) => (group === null ? `${name} was created` : `${name} was saved`),
    onDone: onClose,
    // Projects and lists show the names of groups.
    stale: [{}],
    changed: api.groups.pathFilter(),
  });
  const { seen, error, conflict, expected } = useSeen(group ?? unmade, save);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={group === null ? 'New group' : `Edit ${seen.name}`}
      version={seen.revision}
      onSend={(values) => save.mutate({ ...valuesOf(values), expected })}
      change={{ ...save, error }}
      action={group === null ? 'Create group' : 'Save'}
    >
      {conflict !== null && group !== null && (
        <Conflict {...conflict}>
          It is now {groupName(group)}, of {group.owner?.name ?? 'nobody'}.
        </Conflict>
      )}
      <TextField name="name" label="Name" required maxLength={200} defaultValue={seen.name} />
      <GroupField
        name="parent"
        label="In the group"
        current={seen.parent}
        offers={({ id, parent }) => parent === null && id !== seen.id}
      />
      <OwnerField current={seen.owner} />
    </FormDialog>
  );
}

function OwnerField({ current }: { readonly current: Group['owner'] }) {
  const others = useMembers().rows.filter(({ id }) => id !== current?.id);
  return (
    <SelectField
      name="owner_id"
      label="Owner"
      hint="The member who gets the group’s notifications."
      defaultValue={current?.id ?? ''}
    >
      <option value="">nobody</option>
      {current !== null && <option value={current.id}>{current.name}</option>}
      {others.map(({ id, name, email }) => (
        <option key={id} value={id}>
          {name} ({email})
        </option>
      ))}
    </SelectField>
  );
}

/** Null where nothing is chosen. */
function valuesOf(values: FormData) {
  return {
    name: textOf(values, 'name').trim(),
    parent: textOf(values, 'parent') || null,
    owner_id: textOf(values, 'owner_id') || null,
  };
}
