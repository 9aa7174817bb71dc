import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './link-tabs.module.css';

/** Links to the pages of one thing. Each is a page of its own; the router marks the current one by `aria-current`. */
export function LinkTabs({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const tabs = useRef<HTMLElement>(null);
  const href = useLocation({ select: (location) => location.href });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab changes with the address.
  useEffect(() => {
    // Where not all fit, the current one is in view. The page itself does not move.
    const current = tabs.current?.querySelector<HTMLElement>('[data-status="active"]');
    if (tabs.current === null || current === null || current === undefined) return;
    const { offsetLeft, offsetWidth } = current;
    const middle = offsetLeft + offsetWidth / 2 - tabs.current.offsetLeft;
    tabs.current.scrollLeft = middle - tabs.current.clientWidth / 2;
  }, [href]);
  return (
    <nav ref={tabs} aria-label={label} className={styles.tabs}>
      {children}
    </nav>
  );
}

/** How a tab links to its page. An exact one is not current on the pages below it. */
export const tabLook = (exact: boolean) =>
  ({ activeOptions: { exact, includeSearch: false }, preload: 'intent' }) as const;
