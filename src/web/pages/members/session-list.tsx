import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, client } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../../components/button/button.js';
import { FilterBar, FilterSelect } from '../../components/chips/chips.js';
import { DataList } from '../../components/data-list/data-list.js';
import { ConfirmAction } from '../../components/dialog/confirm-action.js';
import { counted } from '../../components/number/number.js';
import { Section } from '../../components/page/page.js';
import { type Session, sessionColumns } from '../../components/sessions/session-columns.js';
import { Empty } from '../../components/state/state.js';
import { memberList } from './members.js';

const route = getRouteApi('/frame/settings/members');

function sessionList(member_id: string | undefined) {
  const filter = member_id === undefined ? {} : { member_id };
  return pages(api.organisation.listSessions, client.organisation.listSessions, filter);
}

/** Who is signed in, from where. Admins end sessions that should not go on. */
export function SessionList() {
  const { sessions_of: memberId } = route.useSearch();
  const query = useInfiniteQuery(sessionList(memberId));
  const [asked, setAsked] = useState<Session | null>(null);
  const [isAskedAll, setAskedAll] = useState(false);
  const columns = sessionColumns('all', setAsked);
  const total = query.data?.pages[0]?.total;
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
        <MemberFilter total={total === undefined ? undefined : counted(total, 'session')} />
        <DataList
          label="Sessions"
          query={query}
          columns={columns}
          rowId={({ id }) => id}
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
  const { data } = useInfiniteQuery(memberList);
  const names = useMemo(() => {
    const members = data?.pages.flatMap(({ items }) => items) ?? [];
    return Object.fromEntries(members.map(({ id, name }): [string, string] => [id, name]));
  }, [data]);
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
  const endOne = useChange({
    send: ({ id }: Session) => client.organisation.endSession.mutate({ session_id: id }),
    done: (_, { member }) => `A session of ${member.name} has ended`,
    stale,
  });
  const endAll = useChange({
    send: (_: true) => client.organisation.endSessions.mutate({}),
    done: ({ ended }) => `${counted(ended, 'session')} ended`,
    stale,
  });
  return (
    <>
      <ConfirmAction
        target={session}
        onClose={onClose}
        title={({ member }) => `End this session of ${member.name}?`}
        description={() => 'Whoever uses it is asked to sign in again at the next click.'}
        action="End session"
        mutation={endOne}
      />
      <ConfirmAction
        target={isAll ? true : null}
        onClose={onClose}
        title={() => 'End all sessions but this one?'}
        description={() => 'Every member is asked to sign in again at the next click, and so are you elsewhere.'}
        action="End sessions"
        mutation={endAll}
      />
    </>
  );
}
