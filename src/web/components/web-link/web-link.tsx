import type { ReactNode } from 'react';
import { isWebAddress } from '../../../shared/text/grammars.js';

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
