import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, useList } from '../../api/client.js';
import { Button } from '../../components/button/button.js';
import { FilterBar, FilterSelect } from '../../components/chips/chips.js';
import { DataList } from '../../components/data-list/data-list.js';
import { ConfirmAction } from '../../components/dialog/dialog.js';
import { counted } from '../../components/format/format.js';
import { Empty, Section } from '../../components/page/page.js';
import { type Session, sessionColumns } from '../../components/sessions/session-columns.js';
import { useMembers } from './members.js';

const route = getRouteApi('/frame/settings/members');

/** Who is signed in, from where. Admins end sessions that should not go on. */
export function SessionList() {
  const { sessions_of: memberId } = route.useSearch();
  const filter = memberId === undefined ? {} : { member_id: memberId };
  const { query, first } = useList(api.organisation.listSessions, client.organisation.listSessions, filter);
  const [asked, setAsked] = useState<Session | null>(null);
  const [isAskedAll, setAskedAll] = useState(false);
  return (
    <div id="sessions">
      <Section
        title="Sessions"
        actions={
          <Button size="small" onClick={() => setAskedAll(true)}>
            End all others
          </Button>
        }
      >
        <MemberFilter total={first && counted(first.total, 'session')} />
        <DataList
          label="Sessions"
          query={query}
          columns={sessionColumns('all', setAsked)}
          empty={<Empty title="This member has no session that goes on." />}
        />
      </Section>
      <EndDialogs session={asked} isAll={isAskedAll} onClose={() => [setAsked(null), setAskedAll(false)]} />
    </div>
  );
}

function MemberFilter({ total }: { readonly total: string | undefined }) {
  const { sessions_of: memberId } = route.useSearch();
  const navigate = route.useNavigate();
  const { rows } = useMembers();
  const names = Object.fromEntries(rows.map(({ id, name }): [string, string] => [id, name]));
  // A member whom the list does not hold (yet) is still what is filtered by.
  const options = memberId === undefined || memberId in names ? names : { ...names, [memberId]: memberId };
  return (
    <FilterBar total={total}>
      <FilterSelect
        label="Member"
        value={memberId}
        options={options}
        onChange={(sessions_of) => navigate({ search: { sessions_of }, replace: true, resetScroll: false })}
      />
    </FilterBar>
  );
}

interface EndDialogsProps {
  readonly session: Session | null;
  readonly isAll: boolean;
  readonly onClose: () => void;
}

function EndDialogs({ session, isAll, onClose }: EndDialogsProps) {
  const stale = [api.organisation.listSessions.pathFilter()];
  return (
    <>
      <ConfirmAction
        target={session}
        onClose={onClose}
        title={({ member }) => `End this session of ${member.name}?`}
        description={() => 'Whoever uses it is asked to sign in again at the next click.'}
        action="End session"
        send={({ id }: Session) => client.organisation.endSession.mutate({ session_id: id })}
        done={(_, { member }) => `A session of ${member.name} has ended`}
        stale={stale}
      />
      <ConfirmAction
        target={isAll ? true : null}
        onClose={onClose}
        title={() => 'End all sessions but this one?'}
        description={() => 'Every member is asked to sign in again at the next click, and so are you elsewhere.'}
        action="End sessions"
        send={(_: true) => client.organisation.endSessions.mutate({})}
        done={({ ended }) => `${counted(ended, 'session')} ended`}
        stale={stale}
      />
    </>
  );
}
