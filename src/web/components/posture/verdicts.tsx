import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client.js';
import { type Band, bandWords, unavailableWords } from '../../words.js';
import { BandBadge } from '../badge/badge.js';
import { classNames } from '../class-names.js';
import { count, counted, percent } from '../format/format.js';
import { Card, Empty, Loaded, Missing, Section, Skeleton } from '../page/page.js';
import { ListLink } from './scope.js';
import { type Scope, type Summary, scoped } from './types.js';
import styles from './verdicts.module.css';

const bands: readonly Band[] = [
  'known_exploited',
  'likely_exploitable',
  'needs_review',
  'likely_not_exploitable',
  'unanalyzed',
];

/** How the open alerts are judged: a bar, and the table behind it whose bands lead to their alerts. */
export function VerdictSection(scope: Scope) {
  const query = useQuery(api.posture.getSummary.queryOptions(scoped(scope)));
  return (
    <Section title="Verdicts on dependencies">
      <Card>
        <Loaded query={query} skeleton={<Skeleton rows={1} height={278} label="Loading the verdicts" />}>
          {(summary) => <Verdicts summary={summary} {...scope} />}
        </Loaded>
      </Card>
    </Section>
  );
}

function Verdicts({ summary, ...scope }: Scope & { readonly summary: Summary }) {
  const { verdicts, unavailable } = summary;
  if (verdicts === null) {
    const reason = unavailable.find(({ domain }) => domain === 'verdicts')?.reason ?? 'unavailable';
    return reason === 'plan_required' ? (
      <Missing
        title="Verdicts are not in your plan."
        reason="They say what a vulnerability means here, and need a Business or Enterprise subscription. Tiers and findings are complete without them."
      />
    ) : (
      <Missing title="Verdicts are not known now." reason={`Their part ${unavailableWords[reason]}.`} />
    );
  }
  const total = bands.reduce((sum, band) => sum + verdicts[band], 0);
  if (total === 0) {
    return (
      <Empty title="No alert is open.">
        <p>What that rests on is said under Coverage.</p>
      </Empty>
    );
  }
  const shown = bands.filter((band) => verdicts[band] > 0);
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {shown.map((band) => (
          <span key={band} className={classNames(styles.part, styles[band])} style={{ flexGrow: verdicts[band] }} />
        ))}
      </div>
      <table className={styles.bands}>
        <caption className="visually-hidden">{counted(total, 'open alert')} by verdict</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Verdict</th>
            <th scope="col">Alerts</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {bands.map((band) => (
            <tr key={band}>
              <th scope="row">
                <span className={classNames(styles.swatch, styles[band])} aria-hidden="true" />
                <BandBadge band={band} />
              </th>
              <td>
                <ListLink domain="dependencies" {...scope} filter={{ band }}>
                  {count(verdicts[band])}
                  <span className="visually-hidden"> {bandWords[band]}</span>
                </ListLink>
              </td>
              <td>{percent(verdicts[band] / total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {verdicts.unanalyzed > 0 && (
        <p className={styles.note}>
          Unanalyzed:{' '}
          {scope.projectId === undefined ? (
            <>
              their{' '}
              <Link to="/projects" search={{ group: scope.group }}>
                projects
              </Link>{' '}
              have no usage report.
            </>
          ) : (
            'the project has no usage report.'
          )}
        </p>
      )}
    </>
  );
}
