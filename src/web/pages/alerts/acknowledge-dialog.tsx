import { FormDialog } from '../../components/dialog/form-dialog.js';
import { TextAreaField, textOf } from '../../components/field/field.js';
import { counted } from '../../components/number/number.js';
import type { AlertRow } from './rows.js';

interface AcknowledgeDialogProps {
  readonly rows: readonly AlertRow[];
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onSend: (note: string | null) => void;
}

/** Asks for a note. The rows change when it is sent; the answer is awaited behind the list. */
export function AcknowledgeDialog({ rows, open, onClose, onSend }: AcknowledgeDialogProps) {
  const send = (values: FormData) => {
    const note = textOf(values, 'note').trim();
    onSend(note === '' ? null : note);
    onClose();
  };
  return (
    <FormDialog
      {...{ open, onClose, onSend: send }}
      title={`Acknowledge ${counted(rows.length, 'alert')}`}
      description="Says that somebody has seen them. They stay unresolved, and keep their place in the list."
      action="Acknowledge"
    >
      <TextAreaField
        name="note"
        label="Note (optional)"
        hint="Why it can wait, or who takes it. Each of the alerts shows it."
        maxLength={2000}
        autoFocus
      />
    </FormDialog>
  );
}
