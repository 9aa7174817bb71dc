import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouterOutputs } from '../../../client/index.js';
import { api, client } from '../../api/client.js';
import { leaveForIssuer } from '../../api/issuer-sign-in.js';
import { useSession } from '../../api/session.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../../components/button/button.js';
import { ConfirmAction } from '../../components/dialog/confirm-action.js';
import { Card, Section } from '../../components/page/page.js';
import { Loaded, Skeleton } from '../../components/state/state.js';
import { Time } from '../../components/time/time.js';
import { signInOptions } from '../sign-in/options.js';
import styles from './page.module.css';

type Identity = RouterOutputs['signIn']['listIdentities']['items'][number];

/** The issuers that sign the reader in to this account. */
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
  const unlink = useChange({
    send: ({ id }: Identity) => client.signIn.unlink.mutate({ identity_id: id }),
    done: () => 'It was unlinked',
    stale: [api.signIn.listIdentities.pathFilter()],
  });
  return (
    <ConfirmAction
      target={identity}
      onClose={onClose}
      title={({ issuer }) => `Unlink ${new URL(issuer).host}?`}
      description={() => 'Sessions that began there end, perhaps this one too, and it signs you in here no more.'}
      action="Unlink"
      mutation={unlink}
    />
  );
}
