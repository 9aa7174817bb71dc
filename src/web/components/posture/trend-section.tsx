import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { domainWords } from '../../words.js';
import { FilterSelect } from '../chips/chips.js';
import { Card, Section } from '../page/page.js';
import { Skeleton } from '../state/state.js';
import { defaultWindow, type PostureSearch, windows } from './search.js';
import { pictureHeight } from './trend-days.js';
import styles from './trend-section.module.css';
import type { Scope } from './types.js';

// The page is ready before the code that draws is there.
const TrendPicture = lazy(() => import('./trend-picture.js'));

/** What was open on each day of the window, by tier. Domain and window are in the address. */
export function TrendSection({ projectId, group, days = defaultWindow, domain }: Scope & PostureSearch) {
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
