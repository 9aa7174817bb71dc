import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, type RouterOutputs } from '../../api/client.js';
import { domainWords, unavailableWords } from '../../words.js';
import { Priority, Tag, TierDot } from '../badge/badge.js';
import { Coverage } from '../coverage/coverage.js';
import { count } from '../format/format.js';
import { Card, Empty, Loaded, Missing, Section, Skeleton } from '../page/page.js';
import { aboutUpgrade, type UpgradeFacts } from './about-upgrade.js';
import { packageText } from './package-text.js';
import styles from './risk-list.module.css';
import { findingPage, ListLink } from './scope.js';
import { type Scope, scoped, type TopFinding, type TopRisk } from './types.js';

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

interface RiskListProps extends Scope {
  readonly risks: ReadonlyArray<TopFinding | TopRisk>;
  readonly label: string;
}

/** Findings in their order: what it is, why it ranks there, and for a dependency what mends it. */
export function RiskList({ risks, label, projectId }: RiskListProps) {
  const fixes = useFixes(risks);
  return (
    <ol className={styles.list} aria-label={label}>
      {risks.map((risk, index) => (
        <li key={`${risk.domain} ${risk.id}`} className={styles.row}>
          <span className={styles.rank} aria-hidden="true">
            {index + 1}
          </span>
          <span className={styles.tier}>
            <TierDot tier={risk.tier} compact />
          </span>
          <div className={styles.what}>
            <h3 className={styles.title}>
              <Link {...findingPage(risk, projectId)}>{risk.title}</Link>
            </h3>
            <p className={styles.about}>
              {aboutOf(risk, projectId).map((part) => (
                <span key={part}>{part}</span>
              ))}
            </p>
            <p className={styles.about}>{risk.why}</p>
          </div>
          <div className={styles.fix}>
            {risk.risk === 'known_exploited' && <Tag look="danger">known exploited</Tag>}
            <Fix finding={risk} alert={fixes.get(risk.id)} />
          </div>
          <span className={styles.priority}>
            {risk.domain === 'dependencies' && <Priority value={risk.effective_priority} />}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** With its version, where that is one. */
function packageOf(risk: TopFinding | TopRisk): string | null {
  if ('package' in risk) return risk.package === null ? null : packageText(risk.package);
  if (risk.fix === null) return null;
  const { package: name, steps, more } = risk.fix;
  return steps.length === 1 && more === 0 ? `${name}@${steps[0]?.from}` : name;
}

function aboutOf(risk: TopFinding | TopRisk, projectId: string | undefined): string[] {
  const parts = [
    projectId === undefined ? risk.project.name : null,
    domainWords[risk.domain],
    risk.cve,
    packageOf(risk),
    risk.location,
  ];
  return [...new Set(parts.filter((part) => part !== null))];
}

type Alert = RouterOutputs['alerts']['get'];

/** The fixes of dependencies in a list that has none itself, in one request; the list is complete without them. */
function useFixes(risks: ReadonlyArray<TopFinding | TopRisk>): ReadonlyMap<string, Alert> {
  const alerts = risks.filter((risk) => risk.domain === 'dependencies' && !('fix' in risk));
  return useQueries({
    queries: alerts.map(({ project, id }) =>
      api.alerts.get.queryOptions({ project_id: project.id, alert_id: id }, { staleTime: 60_000, retry: false }),
    ),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data] as const]))),
  });
}

function Fix({ finding, alert }: { readonly finding: TopFinding | TopRisk; readonly alert: Alert | undefined }) {
  if ('fix' in finding) return finding.fix === null ? null : <Upgrade {...finding.fix} />;
  if (finding.domain !== 'dependencies' || alert === undefined) return null;
  const { fix, no_fix } = alert;
  if (fix === null) return no_fix === 'resolved' ? null : <NoSafeVersion />;
  const direct = fix.is_direct === true ? 'itself' : fix.direct;
  const steps = [{ from: '', to: fix.to, status: alert.safe_version_status, direct }];
  return <Upgrade package={fix.package} steps={steps} more={0} scope={null} closes={fix.closes_alerts} leaves={0} />;
}

function Upgrade(fix: UpgradeFacts) {
  const { package: name, steps, more } = fix;
  const known = steps.filter(({ to }) => to !== null);
  if (known.length === 0) return <NoSafeVersion />;
  return (
    <span>
      Upgrade {name}{' '}
      {known.map(({ from, to }, nth) => (
        <span key={from}>
          {nth > 0 && ', '}
          {steps.length + more > 1 && `${from} `}to <strong>{to}</strong>
        </span>
      ))}
      {aboutUpgrade(fix)}
    </span>
  );
}

function NoSafeVersion() {
  return <span>No safe version is known</span>;
}
