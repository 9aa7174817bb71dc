import { formula, riskFactors } from '../../../../verdict/formula.js';
import { Bar } from '../../../components/badge/badge.js';
import { percent } from '../../../components/format/format.js';
import { Time } from '../../../components/tip/tip.js';
import { attackVectorWords, exposureWords, severityWords, usageWords } from '../../../words.js';
import styles from './detail.module.css';
import { Part, type Verdict } from './detail-part.js';

/** The machine's score as a picture: each factor of the formula with its number, a bar, and what it comes from. */
export function Score({ verdict: { machine, evidence } }: { readonly verdict: Verdict }) {
  const { exploit, usage, exposure } = evidence;
  const { threat, impact } = riskFactors({
    cvssScore: exploit.cvss?.score ?? null,
    severity: exploit.severity,
    epss: exploit.epss?.probability ?? null,
    kev: exploit.kev !== null,
  });
  const product = `${machine.risk.toFixed(1)} risk × ${machine.usage_factor.toFixed(2)} ${usageWords[usage.class]} × ${machine.exposure_factor.toFixed(2)} ${exposureWords[exposure]}`;
  return (
    <Part title="Score">
      <p>
        <strong>{machine.effective_priority.toFixed(1)}</strong>{' '}
        {machine.raised_to_floor === null ? (
          <>= {product}</>
        ) : (
          <>is the least for a known exploited vulnerability used like this; {product} would be less</>
        )}
      </p>
      <table className={styles.score}>
        <caption className="visually-hidden">Factors of EffectivePriority by formula {machine.formula}</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Factor</th>
            <th scope="col">Value</th>
            <th scope="col">Share</th>
            <th scope="col">From</th>
          </tr>
        </thead>
        <tbody>
          <Factor name="Threat" value={threat} from={threatWords(exploit)} />
          <Factor name="Impact" value={impact} from={impactWords(exploit)} />
          <Factor
            name="Risk"
            value={machine.risk / 100}
            text={machine.risk.toFixed(1)}
            from={`100 × threat^${formula.threatWeight} × impact^${formula.severityWeight}`}
          />
          <Factor name="× Usage" value={machine.usage_factor} from={usageWords[usage.class]} />
          <Factor
            name="× Exposure"
            value={machine.exposure_factor}
            from={`${exposureWords[exposure]}, ${exploit.attack_vector === null ? 'attack vector unknown, taken as network' : attackVectorWords[exploit.attack_vector]}`}
          />
          {machine.raised_to_floor !== null && (
            <Factor
              name="At least"
              value={machine.raised_to_floor / 100}
              text={machine.raised_to_floor.toFixed(1)}
              from={`known exploited, ${usageWords[usage.class]}`}
            />
          )}
          <Factor
            name="Priority"
            value={machine.effective_priority / 100}
            text={machine.effective_priority.toFixed(1)}
            from={`needs review from ${formula.needsReview}, likely exploitable from ${formula.likelyExploitable}`}
          />
        </tbody>
      </table>
      <p className={styles.quiet}>
        Formula <code>{machine.formula}</code>, computed <Time at={machine.computed_at} />. What is unknown never counts
        as zero.
      </p>
    </Part>
  );
}

interface FactorProps {
  readonly name: string;
  /** 0-1. */
  readonly value: number;
  readonly text?: string;
  readonly from: string;
}

function Factor({ name, value, text = value.toFixed(2), from }: FactorProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={styles.number}>{text}</td>
      <td className={styles.barCell}>
        <Bar share={value} wide />
      </td>
      <td>{from}</td>
    </tr>
  );
}

type Exploit = Verdict['evidence']['exploit'];

function threatWords({ kev, epss }: Exploit): string {
  if (kev !== null) return 'observed exploitation (KEV)';
  return epss === null ? 'EPSS unknown, counted as a third of its scale' : `EPSS ${percent(epss.probability)}`;
}

function impactWords({ cvss, severity }: Exploit): string {
  if (cvss !== null) return `CVSS ${cvss.score.toFixed(1)} of 10`;
  return severity === null ? 'severity unknown, counted as half' : `labelled ${severityWords[severity].toLowerCase()}`;
}
