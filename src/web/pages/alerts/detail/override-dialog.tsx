import { client } from '../../../api/client.js';
import { useChange } from '../../../api/use-change.js';
import { FormDialog } from '../../../components/dialog/form-dialog.js';
import { SelectField, TextAreaField, TextField, textOf } from '../../../components/field/field.js';
import { bandWords, overrideWords } from '../../../words.js';
import type { Verdict } from './answers.js';
import { ChangedMeanwhile } from './changed-meanwhile.js';
import { showVerdict } from './show-verdict.js';

interface OverrideDialogProps {
  readonly verdict: Verdict;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Overrules the machine: a verdict, why, and until when. */
export function OverrideDialog({ verdict, open, onClose }: OverrideDialogProps) {
  const { machine, override, revision, project_id, id } = verdict;
  const send = useChange({
    send: client.reachability.overrideVerdict.mutate,
    done: (answer) => `Overruled: ${overrideWords[answer.override?.verdict ?? 'NotExploitable']}`,
    onDone: (answer) => {
      onClose();
      return showVerdict(answer);
    },
  });
  const onSend = (values: FormData) =>
    send.mutate({
      project_id,
      verdict_id: id,
      verdict: textOf(values, 'verdict') === 'Exploitable' ? 'Exploitable' : 'NotExploitable',
      reason: textOf(values, 'reason'),
      expires_at: endOfDay(textOf(values, 'expires_at')),
      expected_revision: revision,
    });
  return (
    <FormDialog
      {...{ open, onClose, onSend, change: send }}
      title="Override the verdict"
      action="Override"
      description={
        <>
          The machine says {bandWords[machine.band].toLowerCase()}, {machine.effective_priority.toFixed(1)}. Yours
          counts instead until it is cleared or ends; the machine’s stays beside it.
          {override !== null && ` Now it is ${overrideWords[override.verdict].toLowerCase()}, by ${override.set_by}.`}
        </>
      }
    >
      <ChangedMeanwhile error={send.error} verdict={verdict} onReloaded={send.reset} />
      <SelectField
        name="verdict"
        label="Verdict"
        defaultValue={override?.verdict ?? 'NotExploitable'}
        hint="Not exploitable: priority 0. Exploitable: priority at least 60."
      >
        <option value="NotExploitable">{overrideWords.NotExploitable}</option>
        <option value="Exploitable">{overrideWords.Exploitable}</option>
      </SelectField>
      <TextAreaField
        name="reason"
        label="Reason"
        defaultValue={override?.reason ?? ''}
        hint="Required. What you know that the machine does not; auditors and VEX documents show it."
        maxLength={2000}
      />
      <TextField
        name="expires_at"
        label="Ends after (optional)"
        type="date"
        hint="The end of that day in your time zone. Without a date it counts until it is cleared."
      />
    </FormDialog>
  );
}

/** The midnight that ends a day such as `2026-12-24`, in the reader's zone; null where no day was chosen. */
function endOfDay(day: string): string | null {
  if (day === '') return null;
  const end = new Date(`${day}T00:00:00`);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}
