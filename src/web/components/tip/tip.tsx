import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';
import { exact, relative } from '../format/format.js';
import styles from './tip.module.css';

/** What a number or a word means, on hover and on focus. */
export function Tip({ text, children }: { readonly text: ReactNode; readonly children: ReactNode }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={<span className={styles.trigger} />}>{children}</Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className={styles.positioner}>
          <Tooltip.Popup className={styles.tip}>{text}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

/** A moment: how long ago in the text, the exact time in the reader's zone on hover and focus. */
export function Time({ at }: { readonly at: Date }) {
  return (
    <Tip text={exact(at)}>
      <time dateTime={at.toISOString()}>{relative(at, new Date())}</time>
    </Tip>
  );
}
