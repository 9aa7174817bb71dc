import type { ComponentProps } from 'react';
import { classNames } from '../class-names.js';
import styles from './button.module.css';

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly size?: 'small' | 'medium';
  /** The action runs: the button stays focusable, says so, and does nothing. */
  readonly busy?: boolean;
}

export function Button({ look = 'plain', size = 'medium', busy = false, className, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(styles.button, styles[look], styles[size], className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  );
}

/** The classes of a button, for a link that looks like one. */
export function buttonClass(
  look: 'plain' | 'primary' | 'quiet' = 'plain',
  size: 'small' | 'medium' = 'medium',
): string {
  return classNames(styles.button, styles[look], styles[size]);
}
