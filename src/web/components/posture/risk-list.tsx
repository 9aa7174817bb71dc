import { useQueries } from '@tanstack/react-query';
import type { RouterOutputs } from '../../../client/index.js';
import { api } from '../../api/client.js';
import { domainWords } from '../../words.js';
import { Tag, TierDot } from '../badge/badge.js';
import { counted } from '../number/number.js';
import { Priority } from '../priority/priority.js';
import { FindingLink } from './links.js';
import { packageText } from './package-text.js';
import styles from './risk-list.module.css';
import type { Scope, TopFinding } from './types.js';

interface RiskListProps extends Scope {
  readonly risks: readonly TopFinding[];
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
              <FindingLink finding={risk} projectId={projectId} />
            </h3>
            <p className={styles.about}>
              {aboutOf(risk, projectId).map((part) => (
                <span key={part}>{part}</span>
              ))}
            </p>
            <p className={styles.about}>{risk.why}</p>
          </div>
          <div className={styles.fix}>
            {risk.kev && <Tag look="danger">known exploited</Tag>}
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

function aboutOf(risk: TopFinding, projectId: string | undefined): string[] {
  const parts = [
    projectId === undefined ? risk.project.name : null,
    domainWords[risk.domain],
    risk.cve,
    risk.package === null ? null : packageText(risk.package),
    risk.location,
  ];
  return [...new Set(parts.filter((part) => part !== null))];
}

type Alert = RouterOutputs['alerts']['get'];

/** What mends the dependencies among the findings. Ten at most, asked in one request; a list is complete without them. */
function useFixes(risks: readonly TopFinding[]): ReadonlyMap<string, Alert> {
  const alerts = risks.filter(({ domain }) => domain === 'dependencies');
  return useQueries({
    queries: alerts.map(({ project, id }) =>
      api.alerts.get.queryOptions({ project_id: project.id, alert_id: id }, { staleTime: 60_000, retry: false }),
    ),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data] as const]))),
  });
}

function Fix({ finding, alert }: { readonly finding: TopFinding; readonly alert: Alert | undefined }) {
  if (finding.domain !== 'dependencies' || alert === undefined) return null;
  const { fix, no_fix } = alert;
  if (fix === null) return no_fix === 'no_safe_version' ? <span>No safe version is known</span> : null;
  const closes = fix.closes_alerts > 1 ? `, closes ${counted(fix.closes_alerts, 'alert')}` : '';
  const direct = fix.direct === null || fix.is_direct === true ? null : packageText(fix.direct);
  return (
    <span>
      Upgrade {fix.package} to <strong>{fix.to}</strong>
      {direct !== null && `, brought by ${direct}`}
      {closes}
    </span>
  );
}
