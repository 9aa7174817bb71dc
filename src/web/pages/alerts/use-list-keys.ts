import { useKeys } from '../../components/keys/use-keys.js';
import { useAcknowledge, useTakeBack } from './acknowledge.js';
import type { AlertRow } from './rows.js';

interface ListKeys {
  readonly rows: readonly AlertRow[];
  /** The selected ones. */
  readonly chosen: readonly AlertRow[];
  /** Asks for the note of the selected ones. */
  readonly onAsk: () => void;
  readonly onHelp: () => void;
}

/** The keys of a list of alerts, besides those that move between its rows. */
export function useListKeys({ rows, chosen, onAsk, onHelp }: ListKeys): void {
  const acknowledge = useAcknowledge();
  const takeBack = useTakeBack();
  useKeys({
    '?': onHelp,
    j: enterList,
    k: enterList,
    a: (focused) => {
      if (chosen.length > 0) return onAsk();
      const id = focused.closest<HTMLElement>('tr[data-row]')?.dataset['row'];
      const row = rows.find((each) => each.id === id);
      if (row?.status === 'open') acknowledge.mutate({ rows: [row], note: null });
      if (row?.status === 'acknowledged') takeBack.mutate([row]);
    },
  });
}

/** From outside of the list: to the row whose detail is open, or else to the first one in view. */
function enterList(focused: HTMLElement): void {
  if (focused.closest('table') !== null) return;
  const links = [...document.querySelectorAll<HTMLElement>('a[data-row-link]')];
  const current = links.find((link) => link.matches('[aria-current="page"]'));
  const inView = links.find((link) => link.getBoundingClientRect().top > 0);
  (current ?? inView)?.focus();
}
