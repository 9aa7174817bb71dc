import { createContext, type ReactNode, useContext, useEffect } from 'react';
import styles from './page.module.css';

/** The name of what a page is a part of, as of a project. The document's title has it too. */
export const PartOf = createContext<string | null>(null);

interface PageProps {
  readonly title: string;
  /** One sentence that is the answer, and that could be read aloud. */
  readonly answer?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page: its name, the answer first, then the evidence. */
export function Page({ title, answer, actions, children }: PageProps) {
  const whole = useContext(PartOf);
  useEffect(() => {
    document.title = [title, whole, 'Postern'].filter((name) => name !== null).join(' · ');
  }, [title, whole]);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>{title}</h1>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        {answer !== undefined && <p className={styles.answer}>{answer}</p>}
      </header>
      {children}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.sectionHeader}>
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** A framed part of a page. */
export function Card({ children }: { readonly children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}

/** Names and values, as a description list. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
