import { CircleAlert, RotateCw } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { explain } from '../../api/explain.js';
import { Button } from '../button/button.js';
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

export function Card({ children }: { readonly children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}

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

/** Bars in the place of what is loading, of the height that it will have. */
export function Skeleton({
  rows = 8,
  height = 36,
  label = 'Loading',
}: {
  readonly rows?: number;
  readonly height?: number;
  readonly label?: string;
}) {
  return (
    <div role="status" aria-label={label} className={styles.skeleton}>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity.
        <div key={at} className={styles.bar} style={{ height }} />
      ))}
    </div>
  );
}

/** Says which action failed, why, and what to do. */
export function Failed({ error, onRetry }: { readonly error: unknown; readonly onRetry?: (() => void) | undefined }) {
  const { title, detail, mayRetry, requestId } = explain(error);
  return (
    <div role="alert" className={styles.failed}>
      <CircleAlert aria-hidden="true" />
      <div>
        <strong>{title}</strong>
        <p>{detail}</p>
        {requestId !== null && (
          <p className={styles.request}>
            Request <code>{requestId}</code>
          </p>
        )}
        {mayRetry && onRetry !== undefined && (
          <Button size="small" onClick={onRetry}>
            <RotateCw aria-hidden="true" /> Try again
          </Button>
        )}
      </div>
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  /** Says where the search looked, and names the next step. */
  readonly children?: ReactNode;
}

/** Nothing to show. It says what was looked at: never a bare zero. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** A part that is missing in an answer: drawn as missing, not as empty. */
export function Missing({ title, reason }: { readonly title: string; readonly reason: string }) {
  return (
    <div className={styles.missing}>
      <strong>{title}</strong> <span>{reason}</span>
    </div>
  );
}

interface QueryLike<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

interface LoadedProps<Data> {
  readonly query: QueryLike<Data>;
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** A query's answer, or its loading or error state. What was there before stays while it fails again, under a notice. */
export function Loaded<Data>({ query, skeleton = <Skeleton />, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  if (data === undefined) return error === null ? skeleton : <Failed error={error} onRetry={() => refetch()} />;
  return (
    <>
      {error !== null && <Failed error={error} onRetry={() => refetch()} />}
      {children(data)}
    </>
  );
}
