import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../button/button.js';
import { FormActions } from '../field/field.js';

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
