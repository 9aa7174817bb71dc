import { BulkBar as Selected } from '../../components/bulk-bar/bulk-bar.js';
import { Button } from '../../components/button/button.js';
import { counted } from '../../components/format/format.js';
import { useKeys } from '../../components/keys/use-keys.js';
import { AcknowledgeDialog, useAcknowledge, useTakeBack } from './acknowledge.js';
import type { AlertRow } from './rows.js';

interface BulkBarProps {
  readonly rows: readonly AlertRow[];
  readonly isAsking: boolean;
  readonly onAsk: (isAsking: boolean) => void;
  readonly onClear: () => void;
}

/** What can be done with the selected alerts. Resolved ones have nothing left to acknowledge. */
export function BulkBar({ rows, isAsking, onAsk, onClear }: BulkBarProps) {
  const acknowledge = useAcknowledge();
  const takeBack = useTakeBack();
  const unresolved = rows.filter(({ status }) => status !== 'resolved');
  const acknowledged = rows.filter(({ status }) => status === 'acknowledged');
  if (rows.length === 0) return null;
  return (
    <Selected label="Selected alerts" selected={counted(rows.length, 'alert')} onClear={onClear}>
      {unresolved.length > 0 && (
        <Button size="small" look="primary" onClick={() => onAsk(true)}>
          Acknowledge
        </Button>
      )}
      {acknowledged.length > 0 && (
        <Button
          size="small"
          onClick={() => {
            takeBack.mutate(acknowledged);
            onClear();
          }}
        >
          Take back
        </Button>
      )}
      <AcknowledgeDialog
        rows={unresolved}
        open={isAsking && unresolved.length > 0}
        onClose={() => onAsk(false)}
        onSend={(note) => {
          acknowledge.mutate({ rows: unresolved, note });
          onClear();
        }}
      />
    </Selected>
  );
}

interface ListKeys {
  readonly rows: readonly AlertRow[];
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
