import { useEffect, useRef } from 'react';

/** What single keys do on a page. Each is called with the element that has the focus. */
export type Keys = Readonly<Record<string, (focused: HTMLElement) => void>>;

/** Whether keys are text there, or belong to an open dialog or menu. */
const isBusy = 'input:not([type="checkbox"]), textarea, select, [role="dialog"], [role="alertdialog"], [role="menu"]';

/** Listens for single keys from anywhere on the page. Typing in a field stays typing, and so do keys with a modifier. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(target instanceof HTMLElement) || target.closest(isBusy) !== null) return;
      const action = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action(target);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
