import { BulkBar as Selected } from '../../components/bulk-bar/bulk-bar.js';
import { Button } from '../../components/button/button.js';
import { counted } from '../../components/number/number.js';
import { useAcknowledge, useTakeBack } from './acknowledge.js';
import { AcknowledgeDialog } from './acknowledge-dialog.js';
import type { AlertRow } from './rows.js';

interface BulkBarProps {
  /** The selected rows. */
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
