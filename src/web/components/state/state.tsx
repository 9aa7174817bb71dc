import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { explain } from '../../api/explain.js';
import { Button } from '../button/button.js';
import styles from './state.module.css';

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

interface FailedProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** What could not be loaded or done, why, and what to do. */
export function Failed({ error, onRetry }: FailedProps) {
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
  /** What was looked at, and the next step. */
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
