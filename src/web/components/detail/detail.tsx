import { X } from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { buttonClass } from '../button/button.js';
import { classNames } from '../class-names.js';
import styles from './detail.module.css';

/** From here up the list stays beside its detail (see the style sheet). */
const beside = '(min-width: 1100px)';

interface DetailProps {
  /** The row of the list that it belongs to: the focus returns there. */
  readonly rowId: string;
  readonly title: ReactNode;
  /** The answer in a line: tier, severity, state. */
  readonly answer?: ReactNode;
  readonly actions?: ReactNode;
  readonly close: (look: { readonly className: string; readonly children: ReactNode }) => ReactElement;
  readonly children: ReactNode;
}

/** What is known of one row of a list. Beside the list its heading is below the page's; in its place it is the page's. */
export function Detail({ rowId, title, answer, actions, close, children }: DetailProps) {
  const isBeside = useIsBeside();
  const Heading = isBeside ? 'h2' : 'h1';
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The row that was focused is no longer shown.
    if (!isBeside) heading.current?.focus();
  }, [isBeside]);
  useEffect(() => () => returnFocus(rowId), [rowId]);
  return (
    <article className={styles.detail}>
      <header className={styles.header}>
        <Heading ref={heading} tabIndex={-1}>
          {title}
        </Heading>
        {close({
          className: buttonClass('quiet', 'small'),
          children: (
            <>
              <X aria-hidden="true" />
              <span className="visually-hidden">Close, back to the list</span>
            </>
          ),
        })}
        {answer !== undefined && <div className={styles.answer}>{answer}</div>}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </article>
  );
}

export function DetailPart({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const Heading = useIsBeside() ? 'h3' : 'h2';
  return (
    <section className={styles.part} aria-label={title}>
      <Heading>{title}</Heading>
      {children}
    </section>
  );
}

function useIsBeside(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(beside);
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    () => window.matchMedia(beside).matches,
  );
}

/** Closing gives the focus back to the row, unless something else has taken it meanwhile. */
function returnFocus(rowId: string): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(rowId)}"] [data-row-link]`)?.focus();
  });
}

interface SplitProps {
  readonly list: ReactNode;
  /** Null while nothing is open. */
  readonly detail: ReactNode;
  readonly isOpen: boolean;
}

/** A list, and the detail of one row: beside it where there is room, in its place where there is not. */
export function Split({ list, detail, isOpen }: SplitProps) {
  return (
    <div className={classNames(styles.split, isOpen && styles.open)}>
      <div className={styles.list}>{list}</div>
      {isOpen && <aside className={styles.beside}>{detail}</aside>}
    </div>
  );
}
