import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { client, queryClient } from '../../api/client.js';
import { BulkBar } from '../../components/bulk-bar/bulk-bar.js';
import { Button } from '../../components/button/button.js';
import { allGroups, groupName } from '../../components/groups/groups.js';
import { counted } from '../../components/number/number.js';
import { toast } from '../../components/toast/toast.js';

/** Projects that one call takes. */
const maxAtOnce = 1_000;

interface AssignBarProps {
  readonly ids: readonly string[];
  readonly onClear: () => void;
}

/** Puts the selected projects into a group, or takes them out of theirs. Only for admins, where there are groups. */
export function AssignBar({ ids, onClear }: AssignBarProps) {
  const select = useId();
  const { data: groups = [] } = useQuery(allGroups);
  const [group, setGroup] = useState('');
  const assign = useMutation({
    mutationFn: async () => {
      let moved = 0;
      for (let at = 0; at < ids.length; at += maxAtOnce) {
        const project_ids = ids.slice(at, at + maxAtOnce);
        moved += (
          await client.groups.assign.mutate({ project_ids, ...(group === '' ? { clear: ['group'] } : { group }) })
        ).moved;
      }
      return moved;
    },
    onSuccess: (moved) => {
      toast.done(`${counted(moved, 'project')} moved`);
      onClear();
    },
    onError: (error) => toast.failed('Not all projects were moved', error),
    // Every list and posture may be filtered by a group.
    onSettled: () => queryClient.invalidateQueries(),
  });
  if (ids.length === 0) return null;
  return (
    <BulkBar label="Selected projects" selected={counted(ids.length, 'project')} onClear={onClear}>
      <label htmlFor={select}>Move to</label>
      <select id={select} value={group} onChange={(event) => setGroup(event.target.value)}>
        <option value="">no group</option>
        {groups.map((each) => (
          <option key={each.id} value={each.id}>
            {groupName(each)}
          </option>
        ))}
      </select>
      <Button size="small" look="primary" onClick={() => assign.mutate()} busy={assign.isPending}>
        Move
      </Button>
    </BulkBar>
  );
}
