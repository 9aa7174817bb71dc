import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { Coverage } from '../coverage/coverage.js';
import { Section } from '../page/page.js';
import { Loaded, Skeleton } from '../state/state.js';
import { Changes } from './changes.js';
import { DomainCards } from './domain-cards.js';
import styles from './overview.module.css';
import type { PostureSearch } from './search.js';
import { TopRisks } from './top-risks.js';
import { TrendSection } from './trend-section.js';
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
