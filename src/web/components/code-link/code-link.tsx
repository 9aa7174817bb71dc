import { placeUrl } from './repo-url.js';

interface CodeLinkProps {
  /** Of the project; null where none is known. */
  readonly repo: string | null;
  readonly file: string;
  readonly line: number | null;
}

/** `src/a.ts:12`, as a link into the repository where its host is known. */
export function CodeLink({ repo, file, line }: CodeLinkProps) {
  const url = placeUrl(repo, { file, line });
  const text = <code>{line === null ? file : `${file}:${line}`}</code>;
  return url === null ? (
    text
  ) : (
    <a href={url} rel="noreferrer" target="_blank">
      {text}
    </a>
  );
}
