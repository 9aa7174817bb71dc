import { Button } from '../../components/button/button.js';
import { Modal } from '../../components/dialog/dialog.js';
import { FormActions, SendForm, TextAreaField, textOf } from '../../components/field/field.js';
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
    <Modal
      open={open}
      onClose={onClose}
      title={`Acknowledge ${counted(rows.length, 'alert')}`}
      description="Says that somebody has seen them. They stay unresolved, and keep their place in the list."
    >
      <SendForm onSend={send} error={null}>
        <TextAreaField
          name="note"
          label="Note (optional)"
          hint="Why it can wait, or who takes it. Each of the alerts shows it."
          maxLength={2000}
          autoFocus
        />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Acknowledge
          </Button>
        </FormActions>
      </SendForm>
    </Modal>
  );
}
