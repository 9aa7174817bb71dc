import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { tokenOf } from '../../api/link-token.js';
import icon from '../../icon.svg';
import { TextField } from '../field/field.js';
import styles from './public-page.module.css';

/** A page for people who are not signed in: one card, one thing to do. */
export function PublicPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Postern`;
  }, [title]);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <img src={icon} alt="" width={40} height={40} />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

export function PublicNote({ children }: { readonly children: ReactNode }) {
  return <p className={styles.note}>{children}</p>;
}

/** Why it was not done, in the page's own words. */
export function Refusal({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div role="alert" className={styles.failure}>
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  );
}

/** The token of the link that was opened. Without one it is asked for: some people are handed the token alone. */
export function TokenField({ hint }: { readonly hint: string }) {
  const token = tokenOf(useLocation({ select: ({ hash }) => hash }));
  if (token !== null) return <input type="hidden" name="token" value={token} />;
  return (
    <TextField name="token" label="Token" hint={hint} required autoComplete="off" spellCheck={false} maxLength={200} />
  );
}
