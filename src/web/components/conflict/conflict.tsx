import { type ReactNode, useState } from 'react';
import { isConflict } from '../../api/explain.js';
import { Button } from '../button/button.js';
import { FormActions } from '../field/field.js';
import styles from './conflict.module.css';

interface ConflictProps {
  /** What it is now. */
  readonly children: ReactNode;
  readonly onTakeTheirs: () => void;
  readonly busy: boolean;
}

/** In a form whose update was refused because of somebody else's: what that was, and the choice. */
export function Conflict({ children, onTakeTheirs, busy }: ConflictProps) {
  return (
    <div role="alert" className={styles.conflict}>
      <strong>Somebody changed it meanwhile</strong>
      <p>{children}</p>
      <FormActions>
        <Button size="small" onClick={onTakeTheirs}>
          Take theirs
        </Button>
        <Button type="submit" size="small" busy={busy}>
          Save mine over it
        </Button>
      </FormActions>
    </div>
  );
}

interface Revised {
  readonly revision: number;
}

interface Change {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly reset: () => void;
}

/**
 * What a form was filled with. A refetch in the background does not change it, so nothing that was typed is lost. After a refused
 * update there is a `conflict` with a newer one to show; whoever saves again has seen it, and `expected` is its revision.
 *
 * @param current as it is in the cache now
 * @param change the update, whose refusal is no error of the form
 */
export function useSeen<Thing extends Revised>(current: Thing, change: Change) {
  const [seen, setSeen] = useState(current);
  const { error, isPending: busy, reset } = change;
  const isRefused = isConflict(error);
  const isOlder = isRefused && current.revision !== seen.revision;
  const onTakeTheirs = () => {
    setSeen(current);
    reset();
  };
  return {
    ...{ seen, setSeen, error: isRefused ? null : error },
    expected: (isOlder ? current : seen).revision,
    /** The part of the newer one that is shown. */
    conflict: isOlder ? { onTakeTheirs, busy } : null,
  };
}

type Emptied<Values> = { [Key in keyof Values]-?: null extends Values[Key] ? Key : never }[keyof Values];
type Given<Values> = { readonly [Key in keyof Values as null extends Values[Key] ? never : Key]: Values[Key] } & {
  readonly [Key in keyof Values as null extends Values[Key] ? Key : never]?: NonNullable<Values[Key]>;
};

/** Changes as the API takes them: what a form has left empty, null here, is named in `clear`. */
export function emptied<Values extends object>(values: Values): Given<Values> & { readonly clear: Emptied<Values>[] };
export function emptied(values: Readonly<Record<string, unknown>>) {
  const fields = Object.entries(values);
  return {
    ...Object.fromEntries(fields.filter(([, value]) => value !== null)),
    clear: fields.flatMap(([field, value]) => (value === null ? [field] : [])),
  };
}
