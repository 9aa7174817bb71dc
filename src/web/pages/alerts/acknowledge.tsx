import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { type DialogProps, FormDialog } from '../../components/dialog/dialog.js';
import { TextAreaField, textOf } from '../../components/field/field.js';
import { counted } from '../../components/format/format.js';
import { toast } from '../../components/toast/toast.js';
import { type AlertKey, type AlertRow, changeRows, refreshAlerts } from './rows.js';

/** Alerts that one call takes. */
const maxAtOnce = 100;

/** What became of a change of many alerts: some calls may have failed while others were done. */
interface Outcome {
  readonly done: readonly AlertKey[];
  readonly failed: readonly AlertKey[];
  readonly error: unknown;
}

/** Calls `send` with the alerts of each project, at most 100 at a time. A call that fails stops no other. */
async function byProject(
  keys: readonly AlertKey[],
  send: (input: { project_id: string; alert_ids: string[] }) => Promise<readonly string[]>,
): Promise<Outcome> {
  const done: AlertKey[] = [];
  const failed: AlertKey[] = [];
  let error: unknown = null;
  for (const project_id of new Set(keys.map((key) => key.project_id))) {
    const ofProject = keys.filter((key) => key.project_id === project_id);
    for (let at = 0; at < ofProject.length; at += maxAtOnce) {
      const part = ofProject.slice(at, at + maxAtOnce);
      try {
        const ids = await send({ project_id, alert_ids: part.map(({ id }) => id) });
        done.push(...ids.map((id) => ({ id, project_id })));
      } catch (thrown) {
        failed.push(...part);
        error = thrown;
      }
    }
  }
  return { done, failed, error };
}

const asAcknowledged =
  (by: string, note: string | null) =>
  <Row extends AlertRow>(row: Row): Row => ({
    ...row,
    status: 'acknowledged',
    acknowledged: { at: new Date(), by, note },
  });

const asOpen = <Row extends AlertRow>(row: Row): Row => ({ ...row, status: 'open', acknowledged: null });

/** Shows the rows of what failed as they were, and says so. */
function rollBack({ failed, error }: Outcome, before: readonly AlertRow[], what: string): void {
  if (failed.length === 0) return;
  const byId = new Map(before.map((row) => [row.id, row]));
  changeRows(failed, (row) => {
    const { status, acknowledged } = byId.get(row.id) ?? row;
    return { ...row, status, acknowledged };
  });
  toast.failed(`${counted(failed.length, 'alert')} ${what}`, error);
}

/** Acknowledges alerts with one note. The rows change at once; what fails changes back. It can be undone. */
export function useAcknowledge() {
  const by = useSession().member?.name ?? '';
  const takeBack = useTakeBack();
  return useMutation({
    mutationFn: ({ rows, note }: { readonly rows: readonly AlertRow[]; readonly note: string | null }) =>
      byProject(rows, async (input) => {
        const answer = await client.alerts.acknowledgeMany.mutate(note === null ? input : { ...input, note });
        return answer.acknowledged;
      }),
    onMutate: ({ rows, note }) => changeRows(rows, asAcknowledged(by, note)),
    onSuccess: (outcome, { rows, note }) => {
      rollBack(outcome, rows, outcome.failed.length === 1 ? 'is not acknowledged' : 'are not acknowledged');
      const { done, failed } = outcome;
      if (rows.length === failed.length) return;
      // Those that were acknowledged before stay so when this is undone.
      const isDone = new Set(done.map(({ id }) => id));
      const undoable = rows.filter(({ id }) => isDone.has(id)).map(asAcknowledged(by, note));
      const undo = { label: 'Undo', onClick: () => takeBack.mutate(undoable) };
      toast.done(
        `${counted(rows.length - failed.length, 'alert')} acknowledged`,
        undoable.length > 0 ? undo : undefined,
      );
    },
    onSettled: refreshAlerts,
  });
}

export function useTakeBack() {
  return useMutation({
    mutationFn: (rows: readonly AlertRow[]) =>
      byProject(rows, async (input) => (await client.alerts.unacknowledgeMany.mutate(input)).unacknowledged),
    onMutate: (rows) => changeRows(rows, asOpen),
    onSuccess: (outcome, rows) => {
      rollBack(outcome, rows, outcome.failed.length === 1 ? 'is still acknowledged' : 'are still acknowledged');
      const back = rows.length - outcome.failed.length;
      if (back > 0) toast.done(`${counted(back, 'alert')} open again`);
    },
    onSettled: refreshAlerts,
  });
}

interface AcknowledgeDialogProps extends DialogProps {
  readonly rows: readonly AlertRow[];
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
