import { useQuery } from '@tanstack/react-query';
import { FilterBar, FilterSelect } from '../chips/chips.js';
import { allGroups, groupName } from './groups.js';

interface GroupFilterProps {
  /** The group's id. */
  readonly value: string | undefined;
  readonly onChange: (group: string | undefined) => void;
}

/** Only projects of one group. Where there are no groups, there is no such filter. */
export function GroupFilter({ value, onChange }: GroupFilterProps) {
  const { data: groups = [] } = useQuery(allGroups);
  if (groups.length === 0 && value === undefined) return null;
  // One that is gone, or is not loaded yet, can still be taken out of the address.
  const unknown = value === undefined ? [] : [[value, '…'] as const];
  const options = Object.fromEntries([...unknown, ...groups.map((group) => [group.id, groupName(group)] as const)]);
  return <FilterSelect<string> label="Group" all="all" value={value} options={options} onChange={onChange} />;
}

/** The same for all that a page shows, above it. */
export function GroupBar(props: GroupFilterProps) {
  const { data: groups = [] } = useQuery(allGroups);
  if (groups.length === 0 && props.value === undefined) return null;
  return (
    <FilterBar label="Projects">
      <GroupFilter {...props} />
    </FilterBar>
  );
}
