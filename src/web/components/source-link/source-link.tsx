import styles from './source-link.module.css';
import { shortPath, sourceUrl } from './source-url.js';

interface SourceLinkProps {
  /** Null where it is not known. */
  readonly repo: string | null;
  readonly file: string;
  readonly line: number | null;
  /** Names the last parts of the path only. */
  readonly short?: boolean;
}

/** A place in the source. It leads into the repository where that is on a known host. */
export function SourceLink({ repo, file, line, short = false }: SourceLinkProps) {
  const place = `${short ? shortPath(file) : file}${line === null ? '' : `:${line}`}`;
  const url = repo === null ? null : sourceUrl({ repo, file, line });
  const title = short ? { title: file } : {};
  if (url === null) {
    return (
      <code className={styles.place} {...title}>
        {place}
      </code>
    );
  }
  return (
    <a href={url} target="_blank" rel="noreferrer" className={styles.place} {...title}>
      <code>{place}</code>
    </a>
  );
}
