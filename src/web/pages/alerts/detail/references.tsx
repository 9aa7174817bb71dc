import { WebLink } from '../../../components/web-link/web-link.js';
import type { Alert } from './answers.js';
import styles from './detail.module.css';
import { Part } from './detail-part.js';

/** What others wrote about it. Addresses come from feeds: only those of the web are links. */
export function References({ references }: Pick<Alert, 'references'>) {
  if (references.length === 0) return null;
  return (
    <Part title="References">
      <ul className={styles.places}>
        {references.map(({ kind, url }) => (
          <li key={`${kind} ${url}`}>
            <span className={styles.quiet}>{kind}</span> <WebLink href={url} />
          </li>
        ))}
      </ul>
    </Part>
  );
}
