import { type ReactNode, useEffect } from 'react';
import icon from '../../icon.svg';
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
