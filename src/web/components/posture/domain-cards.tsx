import { useQuery } from '@tanstack/react-query';
import { findingSeverities } from '../../../shared/vulnerability-terms.js';
import { api } from '../../api/client.js';
import { type Domain, domainWords, severityWords, unavailableWords } from '../../words.js';
import { TierDot } from '../badge/badge.js';
import { count, counted } from '../format/format.js';
import { Loaded, Missing, Skeleton } from '../page/page.js';
import styles from './domain-cards.module.css';
import { ListLink } from './scope.js';
import { defaultWindow } from './search.js';
import { type Diff, type Scope, type Summary, scoped, type Trend } from './types.js';

const domains: readonly Domain[] = ['dependencies', 'code', 'running_app', 'containers'];

/** A card for each domain: what is open, by tier and severity, and what the last week changed. */
export function DomainCards(scope: Scope) {
  const window = { ...scoped(scope), window_days: defaultWindow };
  const summary = useQuery(api.posture.getSummary.queryOptions(scoped(scope)));
  const { data: diff } = useQuery(api.posture.getFindingsDiff.queryOptions(window));
  const { data: trend } = useQuery(api.posture.getTrend.queryOptions(window));
  return (
    <section aria-label="Open findings by domain">
      <h2 className="visually-hidden">Open findings by domain</h2>
      <Loaded query={summary} skeleton={<Skeleton rows={1} height={168} label="Loading the domains" />}>
        {(data) => (
          <ul className={styles.cards}>
            {domains.map((domain) => (
              <li key={domain} className={styles.card}>
                <h3>
                  <ListLink domain={domain} {...scope}>
                    {domainWords[domain]}
                  </ListLink>
                </h3>
                <DomainCard {...{ ...scope, domain, diff, trend }} summary={data} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

interface CardProps extends Scope {
  readonly domain: Domain;
  readonly summary: Summary;
  readonly diff: Diff | undefined;
  readonly trend: Trend | undefined;
}

const never: Readonly<Record<Domain, string>> = {
  dependencies: 'No packages are tracked yet.',
  code: 'No code has been scanned yet.',
  running_app: 'No running application has been scanned yet.',
  containers: 'No image has been scanned yet.',
};

function DomainCard({ domain, summary, diff, trend, ...scope }: CardProps) {
  const open = summary.open[domain];
  if (open === null) {
    const reason = summary.unavailable.find((each) => each.domain === domain)?.reason;
    return <Missing title="Not known now." reason={`It ${unavailableWords[reason ?? 'unavailable']}.`} />;
  }
  const total = Object.values(open).reduce((sum, each) => sum + each, 0);
  const series = trend?.domains[domain];
  if (total === 0 && series?.known_since === null) return <Missing title="Never looked at." reason={never[domain]} />;
  return (
    <>
      <p className={styles.open}>
        <strong>{count(total)}</strong> open
      </p>
      <Tiers domain={domain} {...scope} tiers={series?.days.at(-1)?.open} />
      <Severities domain={domain} {...scope} open={open} />
      <p className={styles.quiet}>{changeOf(diff, domain)}</p>
    </>
  );
}

interface TiersProps extends Scope {
  readonly domain: Domain;
  readonly tiers: Readonly<Record<'red' | 'yellow' | 'green', number>> | undefined;
}

function Tiers({ domain, tiers, ...scope }: TiersProps) {
  const shown = [
    ['RED', tiers?.red],
    ['YELLOW', tiers?.yellow],
    ['GREEN', tiers?.green],
  ] as const;
  return (
    <p className={styles.tiers}>
      {shown.map(([tier, value]) => {
        const text = (
          <>
            {value === undefined ? '–' : count(value)} <TierDot tier={tier} />
          </>
        );
        return domain === 'dependencies' ? (
          <ListLink key={tier} domain={domain} {...scope} filter={{ tier }} className={styles.tier}>
            {text}
          </ListLink>
        ) : (
          <span key={tier} className={styles.tier}>
            {text}
          </span>
        );
      })}
    </p>
  );
}

interface SeveritiesProps extends Scope {
  readonly domain: Domain;
  readonly open: NonNullable<Summary['open'][Domain]>;
}

/** What is open by severity. Lists of findings can be opened by it; alerts are filtered by tier. */
function Severities({ domain, open, ...scope }: SeveritiesProps) {
  const shown = [...findingSeverities, 'unknown' as const].filter((severity) => open[severity] > 0);
  return (
    <p className={styles.severities}>
      {shown.length === 0 && 'of any severity'}
      {shown.map((severity) => {
        const text = `${count(open[severity])} ${severityWords[severity].toLowerCase()}`;
        return domain === 'dependencies' || severity === 'unknown' ? (
          <span key={severity}>{text}</span>
        ) : (
          <ListLink key={severity} domain={domain} {...scope} filter={{ severity }}>
            {text}
          </ListLink>
        );
      })}
    </p>
  );
}

function changeOf(diff: Diff | undefined, domain: Domain): string {
  if (diff === undefined) return '\u00a0';
  const changes = diff.domains[domain];
  if (changes === null) return 'the change of the week is not known';
  const came = changes.new + changes.reopened;
  if (came + changes.resolved === 0) return `no change in ${counted(diff.window_days, 'day')}`;
  return `${count(came)} came, ${count(changes.resolved)} went in ${counted(diff.window_days, 'day')}`;
}
