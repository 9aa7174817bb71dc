import { Link } from '@tanstack/react-router';
import { Pencil, Trash2 } from 'lucide-react';
import { Button } from '../../components/button/button.js';
import type { Column } from '../../components/data-list/columns.js';
import { type Group, groupName } from '../../components/groups/groups.js';
import { count } from '../../components/number/number.js';
import { TierCounts } from '../../components/tier-counts/tier-counts.js';

interface Actions {
  readonly onEdit: (group: Group) => void;
  readonly onDelete: (group: Group) => void;
}

/** @param actions null for those who may not change anything */
export function groupColumns(actions: Actions | null): readonly Column<Group>[] {
  return [
    {
      id: 'name',
      header: 'Group',
      grow: true,
      narrow: 'first',
      cell: (group) => (
        <Link to="/projects" search={{ group: group.id }} data-row-link>
          {groupName(group)}
        </Link>
      ),
    },
    { id: 'projects', header: 'Projects', align: 'end', narrow: 'second', cell: ({ projects }) => count(projects) },
    { id: 'open', header: 'Open', narrow: 'second', cell: ({ open }) => <TierCounts counts={open} /> },
    { id: 'owner', header: 'Owner', narrow: 'second', cell: ({ owner }) => owner?.name ?? 'nobody' },
    ...(actions === null ? [] : [actionsColumn(actions)]),
  ];
}

function actionsColumn({ onEdit, onDelete }: Actions): Column<Group> {
  return {
    id: 'actions',
    header: 'Actions',
    hidesHeader: true,
    narrow: 'second',
    align: 'end',
    cell: (group) => (
      <>
        <Button look="quiet" size="small" onClick={() => onEdit(group)} aria-label={`Edit ${group.name}`}>
          <Pencil aria-hidden="true" />
        </Button>
        <Button look="quiet" size="small" onClick={() => onDelete(group)} aria-label={`Delete ${group.name}`}>
          <Trash2 aria-hidden="true" />
        </Button>
      </>
    ),
  };
}
