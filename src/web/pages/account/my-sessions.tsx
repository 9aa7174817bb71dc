import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, queryClient } from '../../api/client.js';
import { pages } from '../../api/pages.js';
import { signOut } from '../../api/sign-in.js';
import { Button } from '../../components/button/button.js';
import { DataList } from '../../components/data-list/data-list.js';
import { ConfirmAction } from '../../components/dialog/confirm-action.js';
import { counted } from '../../components/number/number.js';
import { Section } from '../../components/page/page.js';
import { type Session, sessionColumns } from '../../components/sessions/session-columns.js';
import { toast } from '../../components/toast/toast.js';

const list = pages(api.session.list, client.session.list, {});

/** What can be ended: one session, all but this one, or all with this one. */
type Ending = Session | 'others' | 'everywhere';

export function MySessions() {
  const query = useInfiniteQuery(list);
  const [asked, setAsked] = useState<Ending | null>(null);
  const columns = sessionColumns('me', setAsked);
  return (
    <Section
      title="My sessions"
      actions={
        <span>
          <Button size="small" look="quiet" onClick={() => setAsked('others')}>
            End all others
          </Button>
          <Button size="small" onClick={() => setAsked('everywhere')}>
            Sign out everywhere
          </Button>
        </span>
      }
    >
      <DataList label="My sessions" query={query} columns={columns} rowId={({ id }) => id} empty={null} />
      <EndDialog asked={asked} onClose={() => setAsked(null)} />
    </Section>
  );
}

function EndDialog({ asked, onClose }: { readonly asked: Ending | null; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const end = useMutation({
    mutationFn: async (what: Ending) => {
      if (typeof what === 'object') {
        await client.session.endOne.mutate({ session_id: what.id });
        return 1;
      }
      const { ended } = await client.session.endOthers.mutate({});
      if (what === 'everywhere') await signOut();
      return ended;
    },
    onSuccess: async (ended, what) => {
      if (what === 'everywhere') {
        await navigate({ to: '/sign-in' });
        queryClient.clear();
        return;
      }
      toast.done(`${counted(ended, 'session')} ended`);
      await queryClient.invalidateQueries(api.session.list.pathFilter());
    },
  });
  return (
    <ConfirmAction
      target={asked}
      onClose={onClose}
      title={(what) => (typeof what === 'object' ? 'End this session?' : titles[what])}
      description={(what) =>
        what === 'everywhere'
          ? 'All your sessions end, this one too. Use it when a device was lost; change your password as well.'
          : 'Whoever uses it is asked to sign in again at the next click. This session goes on.'
      }
      action={asked === 'everywhere' ? 'Sign out' : 'End'}
      mutation={end}
    />
  );
}

const titles = { others: 'End all your other sessions?', everywhere: 'Sign out everywhere?' } as const;
