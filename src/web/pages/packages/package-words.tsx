import { Link } from '@tanstack/react-router';
import type { RouterOutputs } from '../../api/client.js';
import { Tag, TierCounts } from '../../components/badge/badge.js';
import { calendarDate } from '../../components/format/format.js';
import styles from './packages.module.css';

/** Null: the source does not say. */
export function directWord(direct: boolean | null): string {
  if (direct === null) return 'not known';
  return direct ? 'direct' : 'brought in';
}

interface AlertsLinkProps {
  readonly alerts: { readonly red: number; readonly yellow: number; readonly green: number };
  readonly name: string;
  readonly projectId: string;
}

export function AlertsLink({ alerts, name, projectId }: AlertsLinkProps) {
  const total = alerts.red + alerts.yellow + alerts.green;
  if (total === 0) return <>no open alerts</>;
  return (
    <Link to="/projects/$projectId/alerts" params={{ projectId }} search={{ package: name }}>
      <span className="visually-hidden">Open alerts of {name}: </span>
      <TierCounts counts={alerts} />
    </Link>
  );
}

type Health = RouterOutputs['techStack']['list']['items'][number]['health'];

/** How a package is maintained, in short. Nothing known is no tag: it does not mean healthy. */
export function HealthTags({ health: { malicious, deprecated, unmaintained_since } }: { readonly health: Health }) {
  return (
    <span className={styles.tags}>
      {malicious && <Tag look="danger">malicious</Tag>}
      {deprecated !== null && <Tag look="warn">deprecated</Tag>}
      {unmaintained_since !== null && <Tag look="warn">unmaintained</Tag>}
    </span>
  );
}

/** The same in sentences, with whose words they are. */
export function HealthText({ health }: { readonly health: Health }) {
  const { malicious, deprecated, unmaintained_since, replacement, source } = health;
  const isKnown = malicious || deprecated !== null || unmaintained_since !== null;
  if (!isKnown) return <>nothing bad is known, which does not mean that it is healthy</>;
  return (
    <span className={styles.health}>
      {malicious && <span>It is known to be malicious: remove it, and look for what it has done.</span>}
      {deprecated !== null && <span>Deprecated. Its maintainers: “{deprecated}”</span>}
      {unmaintained_since !== null && <span>Not maintained since {calendarDate(unmaintained_since)}.</span>}
      {replacement !== null && <span>Use {replacement} in its place.</span>}
      {source !== null && <span className={styles.quiet}>Source: {source}</span>}
    </span>
  );
}
