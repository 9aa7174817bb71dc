import { useQuery } from '@tanstack/react-query';
import { SelectField } from '../field/field.js';
import { allGroups, type Group, groupName } from './groups.js';

interface GroupFieldProps {
  readonly name: string;
  readonly label: string;
  /** The group that is chosen at first, offered also while the others are loading. */
  readonly current: Pick<Group, 'id' | 'name'> | null;
  /** Whether a group is offered. */
  readonly offers?: (group: Group) => boolean;
}

/** One group or none, whose value is empty. */
export function GroupField({ name, label, current, offers = () => true }: GroupFieldProps) {
  const { data: groups = [] } = useQuery(allGroups);
  const offered = groups.filter((group) => group.id !== current?.id && offers(group));
  const known = groups.find(({ id }) => id === current?.id) ?? current;
  return (
    <SelectField name={name} label={label} defaultValue={current?.id ?? ''}>
      <option value="">none</option>
      {known !== null && <option value={known.id}>{groupName(known)}</option>}
      {offered.map((group) => (
        <option key={group.id} value={group.id}>
          {groupName(group)}
        </option>
      ))}
    </SelectField>
  );
}
