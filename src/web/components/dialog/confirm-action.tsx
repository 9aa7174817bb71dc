import type { ReactNode } from 'react';
import { Confirm } from './dialog.js';

interface ConfirmActionProps<Target> {
  /** What the action is about. Null while nothing is asked. */
  readonly target: Target | null;
  readonly onClose: () => void;
  readonly title: (target: Target) => string;
  /** What will happen, and whether it can be undone. */
  readonly description: (target: Target) => ReactNode;
  /** The verb of the action: `Revoke`. */
  readonly action: string;
  /** How grave the action is. */
  readonly look?: 'danger' | 'primary';
  readonly mutation: {
    readonly mutate: (target: Target, options: { readonly onSuccess: () => void }) => void;
    readonly isPending: boolean;
    readonly error: unknown;
    readonly reset: () => void;
  };
}

/** Asks before a mutation runs. It closes when that is done, and shows why when it is not. */
export function ConfirmAction<Target>(props: ConfirmActionProps<Target>) {
  const { target, onClose, title, description, action, look = 'danger', mutation } = props;
  const close = () => {
    mutation.reset();
    onClose();
  };
  return (
    <Confirm
      open={target !== null}
      onClose={close}
      title={target === null ? '' : title(target)}
      description={target === null ? '' : description(target)}
      action={action}
      look={look}
      onConfirm={() => target !== null && mutation.mutate(target, { onSuccess: close })}
      busy={mutation.isPending}
      error={mutation.error}
    />
  );
}
