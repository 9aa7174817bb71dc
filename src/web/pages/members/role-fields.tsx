import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keysOf } from '../../../shared/schema/unwrap.js';
import { RadioChoices } from '../../components/choices/choices.js';
import { SelectField, textOf } from '../../components/field/field.js';
import { allGroups, groupName } from '../../components/groups/groups.js';
import { roleWords } from '../../words.js';
import type { Member } from './members.js';

const everyRole = keysOf(roleWords);
const inGroups = everyRole.filter((role) => role !== 'none');

const choices = everyRole.map((role) => ({
  value: role,
  label: roleWords[role].name,
  meaning: roleWords[role].meaning,
}));

type Roles = Pick<Member, 'role' | 'groups'>;

/** Fields of a form: the role in the organisation, and those in groups of projects. */
export function RoleFields({ roles: { role, groups } }: { readonly roles: Roles }) {
  const { data: all = [] } = useQuery(allGroups);
  const [added, setAdded] = useState<readonly string[]>([]);
  const named = (id: string) => all.find((group) => group.id === id);
  const rows = [
    ...groups.map((held) => ({ ...held, name: groupName(named(held.id) ?? held) })),
    ...added.flatMap((id) => {
      const group = named(id);
      return group === undefined ? [] : [{ id, name: groupName(group), role: 'viewer' as const }];
    }),
  ];
  const others = all.filter(({ id }) => !rows.some((row) => row.id === id));
  return (
    <>
      <RadioChoices name="role" legend="Role in the organisation" choices={choices} defaultValue={role} />
      {rows.map((row) => (
        <SelectField key={row.id} name={fieldOf(row.id)} label={`Role in ${row.name}`} defaultValue={row.role}>
          {inGroups.map((each) => (
            <option key={each} value={each}>
              {roleWords[each].name}
            </option>
          ))}
          <option value="">None</option>
        </SelectField>
      ))}
      {others.length > 0 && (
        <SelectField
          name="more"
          label="Add a role in a group of projects"
          value=""
          onChange={({ target: { value } }) => setAdded([...added, value])}
          hint="It counts in the groups in it too, where it allows more than the role in the organisation."
        >
          <option value="">…</option>
          {others.map((group) => (
            <option key={group.id} value={group.id}>
              {groupName(group)}
            </option>
          ))}
        </SelectField>
      )}
    </>
  );
}

const prefix = 'role in ';
const fieldOf = (groupId: string) => `${prefix}${groupId}`;

export function rolesOf(values: FormData) {
  const chosen = (name: string) => inGroups.find((role) => role === textOf(values, name));
  const groups = [...values.keys()].flatMap((name) => {
    const role = name.startsWith(prefix) ? chosen(name) : undefined;
    return role === undefined ? [] : [{ group: name.slice(prefix.length), role }];
  });
  return { role: chosen('role') ?? ('none' as const), groups };
}
