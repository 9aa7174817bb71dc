import { Menu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import styles from './menu.module.css';

interface ActionMenuProps {
  readonly trigger: ReactElement;
  readonly children: ReactNode;
}

export function ActionMenu({ trigger, children }: ActionMenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger render={trigger} />
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="end" className={styles.positioner}>
          <Menu.Popup className={styles.popup}>{children}</Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

interface MenuItemProps {
  readonly onClick?: () => void;
  /** A link that the item is. */
  readonly render?: ReactElement;
  readonly children: ReactNode;
}

export function MenuItem({ onClick, render, children }: MenuItemProps) {
  return (
    <Menu.Item className={styles.item} {...(onClick && { onClick })} {...(render && { render })}>
      {children}
    </Menu.Item>
  );
}

export function MenuNote({ children }: { readonly children: ReactNode }) {
  return <div className={styles.note}>{children}</div>;
}
