import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { useMay } from '../../api/may.js';
import { Card, Fact, Facts, Page, Section } from '../../components/page/page.js';
import { Loaded, Skeleton } from '../../components/state/state.js';
import { Time } from '../../components/time/time.js';
import { OrganisationForm } from './organisation-form.js';
import styles from './page.module.css';
import { PlanTable } from './plan-table.js';

export function OrganisationPage() {
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
