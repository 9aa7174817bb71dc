import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { isAdvisoryId, isWebAddress } from '../../../shared/text/grammars.js';
import styles from '../code-link/code-link.module.css';
import { placeUrl, shortPath } from '../code-link/repo-url.js';

interface CodeLinkProps {
  /** The repository of the project; null where none is known. */
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

/** A link to an address that came from outside. What is no web address stays text. */
export function WebLink({ href, children }: { readonly href: string; readonly children?: ReactNode }) {
  const text = children ?? href;
  if (!isWebAddress(href)) return <span>{text}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** The page with the record of an id: NVD for CVEs, GitHub for GHSA, OSV for the others. */
function recordUrl(id: string): string {
  const path = encodeURIComponent(id);
  if (id.startsWith('CVE-')) return `https://nvd.nist.gov/vuln/detail/${path}`;
  return id.startsWith('GHSA-') ? `https://github.com/advisories/${path}` : `https://osv.dev/vulnerability/${path}`;
}

/** An id of a vulnerability, as a link to its record. What is no id stays text. */
export function VulnerabilityLink({ id }: { readonly id: string }) {
  if (!isAdvisoryId(id)) return <span>{id}</span>;
  return (
    <a href={recordUrl(id)} rel="noreferrer" target="_blank" className={styles.link}>
      {id}
      <ExternalLink aria-hidden="true" />
    </a>
  );
}
