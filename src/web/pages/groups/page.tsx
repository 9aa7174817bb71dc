import { Link } from '@tanstack/react-router';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, client, useList } from '../../api/client.js';
import { useMay } from '../../api/session.js';
import { TierCounts } from '../../components/badge/badge.js';
import { Button } from '../../components/button/button.js';
import { actionsColumn, type Column, DataList } from '../../components/data-list/data-list.js';
import { ConfirmAction } from '../../components/dialog/dialog.js';
import { count, counted } from '../../components/format/format.js';
import { type Group, groupName } from '../../components/groups/groups.js';
import { Empty, Page } from '../../components/page/page.js';
import { GroupDialog } from './group-dialog.js';

/** What is open over the page. */
type Open = { readonly kind: 'edit' | 'delete'; readonly group: Group } | { readonly kind: 'new' };

/** Groups of projects: admins make, name, nest and delete them; all open their projects. */
export default function GroupsPage() {
  const { query, rows, first } = useList(api.groups.list, client.groups.list, {});
  const isAdmin = useMay()('groups.create');
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const columns = groupColumns(
    isAdmin
      ? {
          onEdit: (group) => setOpen({ kind: 'edit', group }),
          onDelete: (group) => setOpen({ kind: 'delete', group }),
        }
      : null,
  );
  const find = (kind: 'edit' | 'delete') => (open?.kind === kind ? open.group : null);
  const edited = find('edit');
  const now = rows.find(({ id }) => id === edited?.id);
  return (
    <Page
      title="Groups"
      answer={`${first === undefined ? 'Groups of projects.' : answerOf(first.total)}${isAdmin ? '' : ' Only admins can change this.'}`}
      actions={
        isAdmin && (
          <Button look="primary" onClick={() => setOpen({ kind: 'new' })}>
            <Plus aria-hidden="true" /> New group
          </Button>
        )
      }
    >
      <DataList
        label="Groups"
        query={query}
        columns={columns}
        empty={
          <Empty title="There is no group yet.">
            <p>A group narrows every list and the posture to its projects, and has an owner who is notified.</p>
          </Empty>
        }
      />
      {open?.kind === 'new' && <GroupDialog group={null} onClose={close} />}
      {edited !== null && <GroupDialog key={edited.id} group={now ?? edited} onClose={close} />}
      <DeleteGroup group={find('delete')} onClose={close} />
    </Page>
  );
}

function answerOf(total: number): string {
  return total === 0 ? 'No project is in a group.' : `${counted(total, 'group')} of projects.`;
}

function DeleteGroup({ group, onClose }: { readonly group: Group | null; readonly onClose: () => void }) {
  return (
    <ConfirmAction
      target={group}
      onClose={onClose}
      title={({ name }) => `Delete ${name}?`}
      description={({ parent }) =>
        `No project is deleted: its projects ${parent === null ? 'and groups are in no group then' : `go to ${parent.name}`}. Its webhooks go with it.`
      }
      action="Delete"
      send={({ id }: Group) => client.groups.delete.mutate({ group: id })}
      done={(_, { name }) => `${name} was deleted`}
      stale={[{}]}
    />
  );
}

interface Actions {
  readonly onEdit: (group: Group) => void;
  readonly onDelete: (group: Group) => void;
}

/** @param actions null for those who may not change anything */
function groupColumns(actions: Actions | null): readonly Column<Group>[] {
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
    ...(actions === null ? [] : [buttonsColumn(actions)]),
  ];
}

function buttonsColumn({ onEdit, onDelete }: Actions): Column<Group> {
  return actionsColumn<Group>((group) => (
    <>
      <Button look="quiet" size="small" onClick={() => onEdit(group)} aria-label={`Edit ${group.name}`}>
        <Pencil aria-hidden="true" />
      </Button>
      <Button look="quiet" size="small" onClick={() => onDelete(group)} aria-label={`Delete ${group.name}`}>
        <Trash2 aria-hidden="true" />
      </Button>
    </>
  ));
}
