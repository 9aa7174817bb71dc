import styles from './code-link.module.css';
import { placeUrl, shortPath } from './repo-url.js';

interface CodeLinkProps {
  /** Of the project; null where none is known. */
  readonly repo: string | null;
  readonly file: string;
  readonly line: number | null;
  /** Names the last parts of the path only, and all of it on hover. */
  readonly short?: boolean;
}

/** `src/a.ts:12`, as a link into the repository where its host is known. */
export function CodeLink({ repo, file, line, short = false }: CodeLinkProps) {
  const url = placeUrl(repo, { file, line });
  const name = short ? shortPath(file) : file;
  const text = (
    <code className={styles.place} {...(short && { title: file })}>
      {line === null ? name : `${name}:${line}`}
    </code>
  );
  return url === null ? (
    text
  ) : (
    <a href={url} rel="noreferrer" target="_blank">
      {text}
    </a>
  );
}
