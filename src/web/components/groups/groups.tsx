import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, client, type RouterOutputs } from '../../api/client.js';
import { FilterBar, FilterSelect } from '../chips/chips.js';
import { SelectField } from '../field/field.js';

export type Group = RouterOutputs['groups']['list']['items'][number];

const maxOffered = 1_000;

/** All groups, each before those in it: what a choice offers. */
export const allGroups = queryOptions({
  queryKey: [...api.groups.list.queryKey(), 'all'],
  queryFn: async ({ signal }) => {
    const items: Group[] = [];
    for (let page = 1; items.length < maxOffered; page += 1) {
      const answer = await client.groups.list.query({ page, page_size: 100 }, { signal });
      items.push(...answer.items);
      if (!answer.has_more) break;
    }
    return items;
  },
});

/** A group as a list or a project names it. */
interface Named extends Pick<Group, 'name'> {
  readonly parent?: Group['parent'] | undefined;
}

/** As `Retail / Storefront`. */
export function groupName({ name, parent }: Named): string {
  return parent ? `${parent.name} / ${name}` : name;
}

interface GroupFieldProps {
  readonly name: string;
  readonly label: string;
  /** The group that is chosen at first, offered also while the others are loading. */
  readonly current: Pick<Group, 'id' | 'name'> | null;
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

interface GroupFilterProps {
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
