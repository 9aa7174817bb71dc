import { Field } from '@base-ui/react/field';
import { Form } from '@base-ui/react/form';
import { type ComponentProps, type FormEvent, type ReactNode, useMemo, useRef } from 'react';
import { fieldErrors } from '../../api/explain.js';
import { Failed } from '../state/state.js';
import styles from './field.module.css';

interface SendFormProps {
  /** Called with the form's values; the browser's own submit is prevented. */
  readonly onSend: (values: FormData) => void;
  /** The error of the last try. What belongs to a field is shown at that field; the rest above the form. */
  readonly error: unknown;
  readonly children: ReactNode;
}

/** A form whose values are sent by a mutation. What was typed stays when it fails. */
export function SendForm({ onSend, error, children }: SendFormProps) {
  const form = useRef<HTMLFormElement>(null);
  // The same object until there is another error: a new one would bring back what an edit of the field has cleared.
  const { placed, hasOthers } = useMemo(() => placeErrors(fieldErrors(error), form.current), [error]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSend(new FormData(event.currentTarget));
  };
  return (
    <Form ref={form} className={styles.form} errors={placed} onSubmit={send}>
      {error !== null && (hasOthers || Object.keys(placed).length === 0) && <Failed error={error} />}
      {children}
    </Form>
  );
}

/** Errors by the names that the form has. One of `events.0` is shown at `events`; one of a field that it lacks is not placed. */
function placeErrors(errors: Readonly<Record<string, string>>, form: HTMLFormElement | null) {
  const placed: Record<string, string> = {};
  let hasOthers = false;
  for (const [field, message] of Object.entries(errors)) {
    const name = [field, field.split('.')[0] ?? ''].find((each) => form?.elements.namedItem(each));
    if (name === undefined) hasOthers = true;
    else placed[name] ??= message;
  }
  return { placed, hasOthers };
}

interface LabelledProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
}

type TextFieldProps = LabelledProps & Omit<ComponentProps<typeof Field.Control>, 'name' | 'className' | 'render'>;

export function TextField({ name, label, hint, ...control }: TextFieldProps) {
  return (
    <Field.Root name={name} className={styles.field}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <Field.Control {...control} className={styles.control} />
      <Hint>{hint}</Hint>
      <Field.Error className={styles.error} />
    </Field.Root>
  );
}

type TextAreaFieldProps = LabelledProps & Omit<ComponentProps<'textarea'>, 'name' | 'className'>;

export function TextAreaField({ name, label, hint, ...area }: TextAreaFieldProps) {
  return (
    <Field.Root name={name} className={styles.field}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <Field.Control render={<textarea rows={4} {...area} />} className={styles.control} />
      <Hint>{hint}</Hint>
      <Field.Error className={styles.error} />
    </Field.Root>
  );
}

type SelectFieldProps = LabelledProps & Omit<ComponentProps<'select'>, 'name' | 'className'>;

/** The platform's own select: it works with every keyboard, reader and phone. */
export function SelectField({ name, label, hint, children, ...select }: SelectFieldProps) {
  return (
    <Field.Root name={name} className={styles.field}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <Field.Control render={<select {...select}>{children}</select>} className={styles.control} />
      <Hint>{hint}</Hint>
      <Field.Error className={styles.error} />
    </Field.Root>
  );
}

function Hint({ children }: { readonly children: ReactNode }) {
  return children === undefined ? null : <Field.Description className={styles.hint}>{children}</Field.Description>;
}

export function FormActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

/** A form's value as text; empty where it is missing. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}
