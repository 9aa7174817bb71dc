import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { api } from '../../api/client.js';
import { domainWords } from '../../words.js';
import { FilterSelect } from '../chips/chips.js';
import { Coverage } from '../coverage/coverage.js';
import { Card, Loaded, Section, Skeleton } from '../page/page.js';
import { Changes } from './changes.js';
import { DomainCards } from './domain-cards.js';
import styles from './overview.module.css';
import { defaultWindow, type PostureSearch, windows } from './search.js';
import { TopRisks } from './top-risks.js';
import { pictureHeight } from './trend-days.js';
import { type Scope, scoped } from './types.js';
import { VerdictSection } from './verdicts.js';

/** All parts of a posture, of all projects, of a group’s or of one. Each loads and fails by itself. */
export function PostureOverview({ projectId, group, ...search }: Scope & PostureSearch) {
  const scope = { projectId, group };
  const summary = useQuery(api.posture.getSummary.queryOptions(scoped(scope)));
  return (
    <>
      <DomainCards {...scope} />
      <div className={styles.columns}>
        <TrendSection {...scope} {...search} />
        <VerdictSection {...scope} />
      </div>
      <TopRisks {...scope} />
      <Changes {...scope} {...search} />
      <Section title="Coverage">
        <Loaded query={summary} skeleton={<Skeleton rows={1} height={44} />}>
          {({ coverage }) => <Coverage coverage={coverage} />}
        </Loaded>
      </Section>
    </>
  );
}

// The page is ready before the code that draws is there.
const TrendPicture = lazy(() => import('./trend-picture.js'));

/** Open findings on each day of the window, by tier. Domain and window are in the address. */
function TrendSection({ projectId, group, days = defaultWindow, domain }: Scope & PostureSearch) {
  const navigate = useNavigate();
  const choice = (
    <div className={styles.choice}>
      <FilterSelect
        label="Domain"
        all="all"
        value={domain}
        options={domainWords}
        onChange={(chosen) => navigate({ to: '.', search: (before) => ({ ...before, domain: chosen }), replace: true })}
      />
      <WindowLinks />
    </div>
  );
  const skeleton = <Skeleton rows={1} height={pictureHeight} label="Loading the trend" />;
  return (
    <Section title="Trend" actions={choice}>
      <Card>
        <Suspense fallback={skeleton}>
          <TrendPicture {...{ projectId, group, days, domain, skeleton }} />
        </Suspense>
      </Card>
    </Section>
  );
}

/** The windows that can be chosen. Each is an address; the router marks the one that is open. */
function WindowLinks() {
  return (
    <nav aria-label="Days of the trend" className={styles.windows}>
      {windows.map((days) => (
        <Link
          key={days}
          to="."
          search={(before) => ({ ...before, days: days === defaultWindow ? undefined : days })}
          replace
          resetScroll={false}
          activeOptions={{ includeSearch: true, explicitUndefined: true }}
        >
          {days} days
        </Link>
      ))}
    </nav>
  );
}
