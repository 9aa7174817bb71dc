import { Field } from '@base-ui/react/field';
import { Form } from '@base-ui/react/form';
import { type ComponentProps, type FormEvent, type ReactNode, useMemo, useRef } from 'react';
import { fieldErrors } from '../../api/explain.js';
import { Button } from '../button/button.js';
import { Failed } from '../page/page.js';
import styles from './field.module.css';
import { Options } from './options.js';

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

function Labelled({ name, label, hint, children }: LabelledProps & { readonly children: ReactNode }) {
  return (
    <Field.Root name={name} className={styles.field}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      {children}
      {hint !== undefined && <Field.Description className={styles.hint}>{hint}</Field.Description>}
      <Field.Error className={styles.error} />
    </Field.Root>
  );
}

type TextFieldProps = LabelledProps & Omit<ComponentProps<typeof Field.Control>, 'name' | 'className' | 'render'>;

export function TextField({ name, label, hint, ...control }: TextFieldProps) {
  return (
    <Labelled {...{ name, label, hint }}>
      <Field.Control {...control} className={styles.control} />
    </Labelled>
  );
}

type TextAreaFieldProps = LabelledProps & Omit<ComponentProps<'textarea'>, 'name' | 'className'>;

export function TextAreaField({ name, label, hint, ...area }: TextAreaFieldProps) {
  return (
    <Labelled {...{ name, label, hint }}>
      <Field.Control render={<textarea rows={4} {...area} />} className={styles.control} />
    </Labelled>
  );
}

interface SelectFieldProps extends LabelledProps, Omit<ComponentProps<'select'>, 'name' | 'className'> {
  /** Words by value. The children stand before them. */
  readonly options?: Readonly<Record<string, string>>;
}

/** The platform's own select: it works with every keyboard, reader and phone. */
export function SelectField({ name, label, hint, options = {}, children, ...select }: SelectFieldProps) {
  const control = (
    <select {...select}>
      {children}
      <Options words={options} />
    </select>
  );
  return (
    <Labelled {...{ name, label, hint }}>
      <Field.Control render={control} className={styles.control} />
    </Labelled>
  );
}

export function FormActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

export function Submit({ look = 'primary', ...rest }: ComponentProps<typeof Button>) {
  return (
    <FormActions>
      <Button type="submit" look={look} {...rest} />
    </FormActions>
  );
}

/** A form's value as text; empty where it is missing. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}
