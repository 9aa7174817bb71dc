import type { RouterOutputs } from '../../../client/index.js';
import { Tag } from '../../components/badge/badge.js';
import { calendarDate } from '../../components/time/format.js';
import styles from './packages.module.css';

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
