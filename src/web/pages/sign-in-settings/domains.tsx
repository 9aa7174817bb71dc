import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type RouterOutputs, useChange } from '../../api/client.js';
import { Button } from '../../components/button/button.js';
import { CopyText } from '../../components/copy/copy-button.js';
import { FormActions, SendForm, Submit, TextField, textOf } from '../../components/field/field.js';
import { Card, Failed, Loaded, Section, Skeleton } from '../../components/page/page.js';
import styles from './page.module.css';

type Domain = RouterOutputs['signIn']['listDomains']['items'][number];

const stale = [api.signIn.listDomains.pathFilter()];

/** The domains whose addresses are the organisation's own. */
export function Domains() {
  const query = useQuery(api.signIn.listDomains.queryOptions({}));
  /** Counts what was added: a form that was sent begins anew, and is empty. */
  const [added, setAdded] = useState(0);
  const add = useChange({
    send: (domain: string) => client.signIn.addDomain.mutate({ domain }),
    onDone: () => setAdded((count) => count + 1),
    stale,
  });
  return (
    <Section title="E-mail domains">
      <p className={styles.quiet}>
        Who has an address of a domain that you have shown to be yours may become a member by signing in, and is shown
        your issuer on the sign-in page.
      </p>
      <Loaded query={query} skeleton={<Skeleton rows={1} height={80} />}>
        {({ items }) => (
          <ul className={styles.list}>
            {items.map((domain) => (
              <DomainItem key={domain.domain} {...domain} />
            ))}
          </ul>
        )}
      </Loaded>
      <Card>
        <SendForm key={added} onSend={(values) => add.mutate(textOf(values, 'domain').trim())} error={add.error}>
          <TextField
            name="domain"
            label="Domain"
            placeholder="example.com"
            required
            maxLength={253}
            autoComplete="off"
          />
          <Submit look="plain" busy={add.isPending}>
            Add a domain
          </Submit>
        </SendForm>
      </Card>
    </Section>
  );
}

const proofs = { dns: 'Shown by DNS.', operator: 'Confirmed by who runs this Postern.' } as const;

function DomainItem({ domain, proven_by, txt_record }: Domain) {
  const check = useChange({ send: client.signIn.checkDomain.mutate, stale });
  const remove = useChange({
    send: client.signIn.removeDomain.mutate,
    done: () => `${domain} was removed`,
    failed: () => `${domain} is still there`,
    stale,
  });
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <strong>{domain}</strong>
        <Button
          size="small"
          look="quiet"
          aria-label={`Remove ${domain}`}
          busy={remove.isPending}
          onClick={() => remove.mutate({ domain })}
        >
          Remove
        </Button>
      </div>
      {proven_by !== null ? (
        <span>{proofs[proven_by]}</span>
      ) : (
        <>
          <span>Not shown yet. Add this TXT record to its DNS, then have it looked for:</span>
          <CopyText text={txt_record.name} label="the record’s name" />
          <CopyText text={txt_record.value} label="the record’s value" />
          {check.error !== null && <Failed error={check.error} />}
          <FormActions>
            <Button
              busy={check.isPending}
              aria-label={`Look for the record of ${domain}`}
              onClick={() => check.mutate({ domain })}
            >
              Look for it
            </Button>
          </FormActions>
        </>
      )}
    </li>
  );
}
