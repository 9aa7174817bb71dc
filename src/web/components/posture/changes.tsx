import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { type Domain, domainWords, unavailableWords } from '../../words.js';
import { classNames } from '../class-names.js';
import { calendarDate, count, counted } from '../format/format.js';
import { Card, Loaded, Section, Skeleton } from '../page/page.js';
import { Tip } from '../tip/tip.js';
import styles from './changes.module.css';
import { ListLink } from './scope.js';
import { defaultWindow, type PostureSearch } from './search.js';
import { RiskList } from './top-risks.js';
import { type Diff, type Scope, scoped, type Trend } from './types.js';

const domains: readonly Domain[] = ['dependencies', 'code', 'running_app', 'containers'];

/** What came and went in the window of the trend, by domain, and the worst of what is new. */
export function Changes({ projectId, group, days = defaultWindow }: Scope & PostureSearch) {
  const scope = { projectId, group };
  const window = { ...scoped(scope), window_days: days };
  const query = useQuery(api.posture.getFindingsDiff.queryOptions(window));
  const { data: trend } = useQuery(api.posture.getTrend.queryOptions(window));
  return (
    <Section title={`What changed in ${counted(days, 'day')}`}>
      <Card>
        <Loaded query={query} skeleton={<Skeleton rows={1} height={200} label="Loading the changes" />}>
          {(diff) => (
            <div className={styles.changes}>
              <Table diff={diff} trend={trend} {...scope} />
              <div>
                <h3>The worst that is new</h3>
                {diff.worst_new.length === 0 ? (
                  <p className={styles.quiet}>Nothing new is open in the domains that have answered.</p>
                ) : (
                  <RiskList risks={diff.worst_new} projectId={projectId} label="The worst that is new" />
                )}
              </div>
            </div>
          )}
        </Loaded>
      </Card>
    </Section>
  );
}

const columns = [
  ['new', 'New', 'first seen in the window'],
  ['reopened', 'Reopened', 'known before, and came back in the window'],
  ['resolved', 'Resolved', 'stopped being open in the window'],
  ['open', 'Open', 'open now'],
] as const;

interface TableProps extends Scope {
  readonly diff: Diff;
  readonly trend: Trend | undefined;
}

function Table({ diff, trend, ...scope }: TableProps) {
  return (
    <table className={styles.table}>
      <caption className={styles.quiet}>
        {diff.since === null
          ? 'No domain has answered'
          : `Since ${calendarDate(diff.since.toISOString().slice(0, 10))} (UTC)`}
      </caption>
      <thead>
        <tr>
          <th scope="col">Domain</th>
          {columns.map(([key, name, meaning]) => (
            <th key={key} scope="col">
              <Tip text={meaning}>{name}</Tip>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {domains.map((domain) => {
          const changes = diff.domains[domain];
          const reason = diff.unavailable.find((each) => each.domain === domain)?.reason ?? 'unavailable';
          const isUnseen = trend?.domains[domain].known_since === null;
          return (
            <tr key={domain}>
              <th scope="row">
                <ListLink domain={domain} {...scope}>
                  {domainWords[domain]}
                </ListLink>
              </th>
              {changes === null || isUnseen ? (
                <td colSpan={4} className={styles.quiet}>
                  {changes === null ? unavailableWords[reason] : 'never looked at'}
                </td>
              ) : (
                columns.map(([key]) => (
                  <td key={key} className={classNames(changes[key] === 0 && styles.none)}>
                    {count(changes[key])}
                  </td>
                ))
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
