import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { api, client, queryClient, type RouterOutputs, useChange } from '../../api/client.js';
import { sessionQuery, useMay } from '../../api/session.js';
import { Conflict, emptied, useSeen } from '../../components/conflict/conflict.js';
import { SendForm, Submit, TextField, textOf } from '../../components/field/field.js';
import { Card, Fact, Facts, Loaded, Page, Section, Skeleton } from '../../components/page/page.js';
import { Time } from '../../components/tip/tip.js';
import { toast } from '../../components/toast/toast.js';
import styles from './page.module.css';

export default function OrganisationPage() {
  const query = useQuery(api.organisation.get.queryOptions({}));
  const isAdmin = useMay()('organisation.update');
  const { data } = query;
  return (
    <Page
      title="Organisation"
      answer={data === undefined ? 'Your organisation.' : `${data.name} is on the ${data.plan} plan.`}
    >
      <Loaded query={query} skeleton={<Skeleton rows={6} />}>
        {(organisation) => (
          <>
            <div className={styles.parts}>
              <Section title="About">
                <Card>
                  {isAdmin ? (
                    <OrganisationForm organisation={organisation} />
                  ) : (
                    <Facts>
                      <Fact name="Name">{organisation.name}</Fact>
                      <Fact name="Contact">{organisation.contact_email ?? 'none is given'}</Fact>
                    </Facts>
                  )}
                </Card>
                {!isAdmin && <p className={styles.quiet}>Admins change this.</p>}
              </Section>
              <Section title="Record">
                <Card>
                  <Facts>
                    <Fact name="Id">
                      <code>{organisation.id}</code>
                    </Fact>
                    <Fact name="Since">
                      <Time at={organisation.created_at} />
                    </Fact>
                    <Fact name="Last changed">
                      <Time at={organisation.updated_at} />
                    </Fact>
                  </Facts>
                </Card>
              </Section>
            </div>
            <PlanTable plan={organisation.plan} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type Organisation = RouterOutputs['organisation']['update'];

interface Values {
  readonly name: string;
  readonly contact_email: string | null;
}

/**
 * Changes only what the reader changed. Somebody else's change meanwhile is shown first, and nothing that was typed is lost.
 */
function OrganisationForm({ organisation }: { readonly organisation: Organisation }) {
  const update = useChange({
    send: client.organisation.update.mutate,
    done: () => 'Saved',
    onDone: (after) => {
      setSeen(after);
      queryClient.setQueryData(api.organisation.get.queryKey({}), (before) => before && { ...before, ...after });
    },
    // The frame shows its name.
    stale: [{ queryKey: sessionQuery.queryKey }],
    changed: api.organisation.get.pathFilter(),
  });
  const { seen, setSeen, error, conflict, expected } = useSeen(organisation, update);
  const save = (values: FormData) => {
    const changes = changesOf(
      { name: textOf(values, 'name').trim(), contact_email: textOf(values, 'contact_email').trim() || null },
      seen,
    );
    if (Object.keys(changes).length === 0) toast.done('Nothing was changed');
    else update.mutate({ ...emptied(changes), expected_revision: expected });
  };
  return (
    <SendForm key={seen.revision} onSend={save} error={error}>
      {conflict !== null && (
        <Conflict {...conflict}>
          It is now called “{organisation.name}”, with the contact {organisation.contact_email ?? 'removed'}.
        </Conflict>
      )}
      <TextField name="name" label="Name" required maxLength={200} defaultValue={seen.name} />
      <TextField
        name="contact_email"
        label="Contact e-mail (optional)"
        type="email"
        maxLength={254}
        hint="For those who run this Postern."
        defaultValue={seen.contact_email ?? ''}
      />
      <Submit busy={update.isPending}>Save</Submit>
    </SendForm>
  );
}

function changesOf({ name, contact_email }: Values, before: Values): Partial<Values> {
  return {
    ...(name !== before.name && { name }),
    ...(contact_email !== before.contact_email && { contact_email }),
  };
}

type Plan = RouterOutputs['organisation']['get']['plan'];

const plans = ['Free', 'Business', 'Enterprise'] as const satisfies readonly Plan[];

/** What begins with which plan (specification, section 5, rules 7 and 10). */
const features: ReadonlyArray<{ readonly name: string; readonly from: Plan }> = [
  { name: 'Alerts, findings, fixes, webhooks, the audit log', from: 'Free' },
  { name: 'Posture, top risks and check_package for agents', from: 'Free' },
  { name: 'Verdicts: is it exploitable here, and why', from: 'Business' },
  { name: 'Overrides, usage reports and VEX statements', from: 'Business' },
  { name: 'SBOM and OpenVEX export', from: 'Enterprise' },
];

/** Lists the limits of the plan. The operator of this Postern changes plans. */
function PlanTable({ plan }: { readonly plan: Plan }) {
  return (
    <Section title="Plan">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by the keyboard. */}
      <section className={styles.scroll} tabIndex={0} aria-label="What each plan brings">
        <table className={styles.plans}>
          <thead>
            <tr>
              <th scope="col">What it brings</th>
              {plans.map((each) => (
                <th key={each} scope="col" className={each === plan ? styles.mine : undefined}>
                  {each}
                  {each === plan && ' (yours)'}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {features.map(({ name, from }) => (
              <tr key={name}>
                <th scope="row" className={styles.feature}>
                  {name}
                </th>
                {plans.map((each) => (
                  <td key={each} className={each === plan ? styles.mine : undefined}>
                    {plans.indexOf(each) >= plans.indexOf(from) ? (
                      <Check className={styles.yes} role="img" aria-label="yes" />
                    ) : (
                      <span className={styles.quiet}>no</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles.quiet}>Who runs this Postern changes the plan.</p>
    </Section>
  );
}
