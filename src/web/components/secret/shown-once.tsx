import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../button/button.js';
import { CopyText } from '../copy/copy-button.js';
import { FormActions } from '../field/field.js';
import styles from './shown-once.module.css';

interface ShownOnceProps {
  /** What it is: `the API key`. */
  readonly label: string;
  readonly text: string;
  /** What it opens, and what to do when it is lost. */
  readonly children: ReactNode;
  readonly onDone: () => void;
  readonly done?: string;
}

/** A secret that the service answers once. Leaving the page by accident is held back until the reader says that it is stored. */
export function ShownOnce({ label, text, children, onDone, done = 'I have stored it' }: ShownOnceProps) {
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const isStored = useRef(false);
  const holdsBack = () => !isStored.current;
  useBlocker({ shouldBlockFn: holdsBack, enableBeforeUnload: holdsBack });
  const finish = () => {
    isStored.current = true;
    onDone();
  };
  return (
    <div className={styles.secret}>
      <p ref={heading} tabIndex={-1} className={styles.warning}>
        This is the only time that {label} is shown. Copy it now.
      </p>
      <CopyText text={text} label={label} />
      <div className={styles.about}>{children}</div>
      <FormActions>
        <Button look="primary" onClick={finish}>
          {done}
        </Button>
      </FormActions>
    </div>
  );
}

interface MailedProps {
  readonly to: string;
  /** How long it is good for, and what to do when it does not arrive. */
  readonly children: ReactNode;
  readonly onDone: () => void;
}

/** In place of a secret that is shown once: a link that only its address gets. */
export function Mailed({ to, children, onDone }: MailedProps) {
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <p ref={heading} tabIndex={-1}>
        A link is being sent to <strong>{to}</strong>. Nobody else gets it.
      </p>
      <p>{children}</p>
      <FormActions>
        <Button look="primary" onClick={onDone}>
          Done
        </Button>
      </FormActions>
    </>
  );
}
