import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { domainWords, unavailableWords } from '../../words.js';
import { Coverage } from '../coverage/coverage.js';
import { count } from '../number/number.js';
import { Card, Section } from '../page/page.js';
import { Empty, Loaded, Missing, Skeleton } from '../state/state.js';
import { ListLink } from './links.js';
import { RiskList } from './risk-list.js';
import styles from './risk-list.module.css';
import { type Scope, scoped } from './types.js';

/** The ten findings to look at first. What was judged harmless or is in work is counted below, with links. */
export function TopRisks(scope: Scope) {
  const query = useQuery(api.posture.getTopRisks.queryOptions(scoped(scope)));
  return (
    <Section title="Look at these first">
      <Loaded query={query} skeleton={<Skeleton rows={8} height={64} label="Loading the top risks" />}>
        {({ risks, de_escalated, triaged, unavailable, coverage }) => (
          <>
            {unavailable.map(({ domain, reason }) => (
              <Missing
                key={domain}
                title={`${domain === 'verdicts' ? 'Verdicts' : domainWords[domain]} are missing here.`}
                reason={`Their part ${unavailableWords[reason]}.`}
              />
            ))}
            {risks.length === 0 ? (
              <Empty title="Nothing open is known exploited, reachable in the code or critical.">
                <Coverage coverage={coverage} />
              </Empty>
            ) : (
              <Card>
                <RiskList risks={risks} projectId={scope.projectId} label="Top risks" />
              </Card>
            )}
            <NotRanked {...scope} deEscalated={de_escalated} triaged={triaged} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface NotRankedProps extends Scope {
  readonly deEscalated: number;
  readonly triaged: number;
}

/** What is open and not in the ranking, because somebody or the verdict has said that it matters less. */
function NotRanked({ deEscalated, triaged, ...scope }: NotRankedProps) {
  return (
    <p className={styles.left}>
      Open, but not ranked:{' '}
      <ListLink domain="dependencies" {...scope} filter={{ band: 'likely_not_exploitable' }}>
        {count(deEscalated)} judged likely not exploitable
      </ListLink>
      , and {count(triaged)} that somebody has triaged (
      <ListLink domain="dependencies" {...scope} filter={{ status: 'acknowledged' }}>
        acknowledged alerts
      </ListLink>
      , findings suppressed by a report).
    </p>
  );
}
