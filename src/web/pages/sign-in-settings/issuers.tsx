import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, client } from '../../api/client.js';
import { Button } from '../../components/button/button.js';
import { ConfirmAction } from '../../components/dialog/dialog.js';
import { Empty, Loaded, Section, Skeleton } from '../../components/page/page.js';
import { type Issuer, IssuerDialog } from './issuer-dialog.js';
import styles from './page.module.css';

export function Issuers() {
  const query = useQuery(api.signIn.listIssuers.queryOptions({}));
  const [edited, setEdited] = useState<Issuer | 'new' | null>(null);
  const [removed, setRemoved] = useState<Issuer | null>(null);
  const bound = query.data?.items.map(({ issuer }) => issuer) ?? [];
  return (
    <Section
      title="Issuers"
      actions={
        <Button size="small" onClick={() => setEdited('new')}>
          <Plus aria-hidden="true" /> Add an issuer
        </Button>
      }
    >
      <Loaded query={query} skeleton={<Skeleton rows={2} height={80} />}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No issuer is bound.">
              <p>People sign in with passwords. Add the OpenID Connect issuer where your company signs in.</p>
            </Empty>
          ) : (
            <ul className={styles.list}>
              {items.map((issuer) => (
                <IssuerItem key={issuer.id} issuer={issuer} onEdit={setEdited} onRemove={setRemoved} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <IssuerDialog
        key={typeof edited === 'object' ? edited?.id : edited}
        edited={edited}
        suggested={query.data?.own.find((each) => !bound.includes(each))}
        own={query.data?.own ?? []}
        onClose={() => setEdited(null)}
      />
      <RemoveIssuer issuer={removed} onClose={() => setRemoved(null)} />
    </Section>
  );
}

interface IssuerItemProps {
  readonly issuer: Issuer;
  readonly onEdit: (issuer: Issuer) => void;
  readonly onRemove: (issuer: Issuer) => void;
}

function IssuerItem({ issuer, onEdit, onRemove }: IssuerItemProps) {
  const { client_id, joins, default_role, groups_claim, group_roles } = issuer;
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <strong>{issuer.issuer}</strong>
        <span>
          <Button size="small" look="quiet" aria-label={`Change ${issuer.issuer}`} onClick={() => onEdit(issuer)}>
            Change
          </Button>
          <Button size="small" look="quiet" aria-label={`Remove ${issuer.issuer}`} onClick={() => onRemove(issuer)}>
            Remove
          </Button>
        </span>
      </div>
      <span>{client_id === null ? 'By this server’s own client.' : `By your client ${client_id}.`}</span>
      <span>
        {joins
          ? `Whoever has a verified address of your domains becomes ${default_role}.`
          : 'Nobody becomes a member by signing in alone: invite people.'}
      </span>
      {groups_claim !== null && (
        <span className={styles.quiet}>
          Roles by the groups in {groups_claim}:{' '}
          {group_roles.map(({ group, role }) => `${group} is ${role}`).join(', ') || 'none is named yet'}.
        </span>
      )}
    </li>
  );
}

function RemoveIssuer({ issuer, onClose }: { readonly issuer: Issuer | null; readonly onClose: () => void }) {
  return (
    <ConfirmAction
      target={issuer}
      onClose={onClose}
      title={({ issuer: url }) => `Remove ${url}?`}
      description={() =>
        'All sessions that began there end, perhaps yours too, and nobody signs in there any more. Members stay members.'
      }
      action="Remove"
      send={({ id }: Issuer) => client.signIn.removeIssuer.mutate({ issuer_id: id })}
      done={(_, { issuer: url }) => `${url} was removed`}
      stale={[api.signIn.pathFilter()]}
    />
  );
}
