import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, queryClient, type RouterOutputs, useChange, useList } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { leaveForIssuer, signOut } from '../../api/sign-in.js';
import { Button } from '../../components/button/button.js';
import { DataList } from '../../components/data-list/data-list.js';
import { ConfirmAction } from '../../components/dialog/dialog.js';
import { counted } from '../../components/format/format.js';
import { Card, Loaded, Section, Skeleton } from '../../components/page/page.js';
import { type Session, sessionColumns } from '../../components/sessions/session-columns.js';
import { Time } from '../../components/tip/tip.js';
import { signInOptions } from '../sign-in/ways.js';
import styles from './page.module.css';

type Identity = RouterOutputs['signIn']['listIdentities']['items'][number];

export function LinkedSignIns() {
  const { member } = useSession();
  const query = useQuery(api.signIn.listIdentities.queryOptions({}));
  const { data: options } = useQuery(signInOptions({ email: member?.email ?? '' }));
  const [removed, setRemoved] = useState<Identity | null>(null);
  const link = useChange({
    send: (issuer: string) => leaveForIssuer({ issuer, to: '/settings/account', purpose: 'link' }),
    failed: () => 'Nothing was linked',
  });
  return (
    <Section title="Linked sign-ins">
      <Card>
        <Loaded query={query} skeleton={<Skeleton rows={1} />}>
          {({ items }) => (
            <div className={styles.links}>
              {items.length === 0 && <p>No issuer signs you in to this account.</p>}
              {items.map((identity) => (
                <div key={identity.id} className={styles.link}>
                  <span>
                    {new URL(identity.issuer).host}, since <Time at={identity.created_at} />
                  </span>
                  <Button size="small" look="quiet" onClick={() => setRemoved(identity)}>
                    Unlink
                  </Button>
                </div>
              ))}
              {options?.issuers
                .filter(({ name }) => !items.some(({ issuer }) => new URL(issuer).host === name))
                .map(({ id, name }) => (
                  <Button key={id} busy={link.isPending && link.variables === id} onClick={() => link.mutate(id)}>
                    Link my sign-in at {name}
                  </Button>
                ))}
            </div>
          )}
        </Loaded>
      </Card>
      <Unlink identity={removed} onClose={() => setRemoved(null)} />
    </Section>
  );
}

function Unlink({ identity, onClose }: { readonly identity: Identity | null; readonly onClose: () => void }) {
  return (
    <ConfirmAction
      target={identity}
      onClose={onClose}
      title={({ issuer }) => `Unlink ${new URL(issuer).host}?`}
      description={() => 'Sessions that began there end, perhaps this one too, and it signs you in here no more.'}
      action="Unlink"
      send={({ id }: Identity) => client.signIn.unlink.mutate({ identity_id: id })}
      done={() => 'It was unlinked'}
      stale={[api.signIn.listIdentities.pathFilter()]}
    />
  );
}

/** The sessions to end: one, all but this one, or all with this one. */
type Ending = Session | 'others' | 'everywhere';

export function MySessions() {
  const { query } = useList(api.session.list, client.session.list, {});
  const [asked, setAsked] = useState<Ending | null>(null);
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
      <DataList label="My sessions" query={query} columns={sessionColumns('me', setAsked)} empty={null} />
      <EndDialog asked={asked} onClose={() => setAsked(null)} />
    </Section>
  );
}

function EndDialog({ asked, onClose }: { readonly asked: Ending | null; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const end = async (what: Ending) => {
    if (typeof what === 'object') {
      await client.session.endOne.mutate({ session_id: what.id });
      return 1;
    }
    const { ended } = await client.session.endOthers.mutate({});
    if (what === 'everywhere') await signOut();
    return ended;
  };
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
      send={end}
      done={(ended, what) => (what === 'everywhere' ? null : `${counted(ended, 'session')} ended`)}
      onDone={async (_, what) => {
        if (what !== 'everywhere') return;
        await navigate({ to: '/sign-in' });
        queryClient.clear();
      }}
      stale={[api.session.list.pathFilter()]}
    />
  );
}

const titles = { others: 'End all your other sessions?', everywhere: 'Sign out everywhere?' } as const;
