import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import styles from './tip.module.css';

interface TipProps {
  readonly text: ReactNode;
  readonly children: ReactElement;
}

/** What a number or a word means, on hover and on focus. */
export function Tip({ text, children }: TipProps) {
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
