import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useMay } from '../../api/may.js';
import { useSession } from '../../api/session.js';
import { DataList } from '../../components/data-list/data-list.js';
import { Section } from '../../components/page/page.js';
import { memberColumns } from './member-columns.js';
import { MemberDialogs } from './member-dialogs.js';
import { type MemberAction, memberList } from './members.js';

export function MemberList() {
  const query = useInfiniteQuery(memberList);
  const [action, setAction] = useState<MemberAction | null>(null);
  const me = useSession().member?.id ?? null;
  const isAdmin = useMay()('organisation.updateMember');
  const columns = useMemo(() => memberColumns(me, isAdmin ? setAction : null), [me, isAdmin]);
  return (
    <Section title="Members">
      <DataList label="Members" query={query} columns={columns} rowId={({ id }) => id} empty={null} />
      {isAdmin && <MemberDialogs action={action} onClose={() => setAction(null)} />}
    </Section>
  );
}
