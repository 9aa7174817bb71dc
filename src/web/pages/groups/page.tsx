import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, client } from '../../api/client.js';
import { useMay } from '../../api/may.js';
import { pages } from '../../api/pages.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../../components/button/button.js';
import { DataList } from '../../components/data-list/data-list.js';
import { ConfirmAction } from '../../components/dialog/confirm-action.js';
import type { Group } from '../../components/groups/groups.js';
import { counted } from '../../components/number/number.js';
import { Page } from '../../components/page/page.js';
import { Empty } from '../../components/state/state.js';
import { groupColumns } from './columns.js';
import { GroupDialog } from './group-dialog.js';

const list = pages(api.groups.list, client.groups.list, {});

/** What is open over the page. */
type Open = { readonly kind: 'edit' | 'delete'; readonly group: Group } | { readonly kind: 'new' };

/** Groups of projects: admins make, name, nest and delete them; all open their projects. */
export function GroupsPage() {
  const query = useInfiniteQuery(list);
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
  const total = query.data?.pages[0]?.total;
  const now = query.data?.pages.flatMap(({ items }) => items).find(({ id }) => id === edited?.id);
  return (
    <Page
      title="Groups"
      answer={`${total === undefined ? 'Groups of projects.' : answerOf(total)}${isAdmin ? '' : ' Only admins can change this.'}`}
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
        rowId={({ id }) => id}
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
  const remove = useChange({
    send: ({ id }: Group) => client.groups.delete.mutate({ group: id }),
    done: (_, { name }) => `${name} was deleted`,
    stale: [{}],
  });
  return (
    <ConfirmAction
      target={group}
      onClose={onClose}
      title={({ name }) => `Delete ${name}?`}
      description={({ parent }) =>
        `No project is deleted: its projects ${parent === null ? 'and groups are in no group then' : `go to ${parent.name}`}. Its webhooks go with it.`
      }
      action="Delete"
      mutation={remove}
    />
  );
}
