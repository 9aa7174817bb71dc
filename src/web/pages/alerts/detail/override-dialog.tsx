import { useMutation } from '@tanstack/react-query';
import { isPosternError } from '../../../../client/index.js';
import { api, client, queryClient, useChange } from '../../../api/client.js';
import { Button } from '../../../components/button/button.js';
import { type DialogProps, FormDialog } from '../../../components/dialog/dialog.js';
import { SelectField, TextAreaField, TextField, textOf } from '../../../components/field/field.js';
import { toast } from '../../../components/toast/toast.js';
import { bandWords, overrideWords } from '../../../words.js';
import { refreshAlerts } from '../rows.js';
import type { Verdict } from './detail-part.js';

interface OverrideDialogProps extends DialogProps {
  readonly verdict: Verdict;
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

interface ChangedMeanwhileProps {
  readonly error: unknown;
  readonly verdict: Verdict;
  readonly onReloaded: () => void;
}

/** Shown where somebody else changed the verdict first: what that means, and a way to see the present one. */
export function ChangedMeanwhile({ error, verdict, onReloaded }: ChangedMeanwhileProps) {
  const { project_id, id } = verdict;
  const reload = useMutation({
    mutationFn: () => {
      const options = api.reachability.getVerdict.queryOptions({ project_id, verdict_id: id });
      return queryClient.fetchQuery({ ...options, staleTime: 0 });
    },
    onSuccess: onReloaded,
    onError: (failed) => toast.failed('The verdict was not loaded', failed),
  });
  if (!isPosternError(error) || error.data.failure !== 'conflict') return null;
  return (
    <div>
      <p>
        Somebody changed this verdict, or its evidence changed, after it was loaded here. Look at it as it is now, then
        decide again. What you typed stays.
      </p>
      <Button size="small" busy={reload.isPending} onClick={() => reload.mutate()}>
        Load the present verdict
      </Button>
    </div>
  );
}

/** Shows a verdict that the service has answered, and asks for all that follows from it again. */
export async function showVerdict(verdict: Verdict): Promise<void> {
  const { id, project_id } = verdict;
  queryClient.setQueryData(api.reachability.getVerdict.queryKey({ project_id, verdict_id: id }), verdict);
  await refreshAlerts();
}
