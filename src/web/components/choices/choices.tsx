import { Field } from '@base-ui/react/field';
import { type ReactNode, useId } from 'react';
import { classNames } from '../class-names.js';
import styles from './choices.module.css';

interface Choice {
  readonly value: string;
  readonly label: ReactNode;
  /** What the choice means, in plain words. */
  readonly meaning?: ReactNode;
  /** Not shown for now; its state stays. */
  readonly isHidden?: boolean;
}

interface ChoicesProps {
  readonly name: string;
  readonly legend: string;
  readonly choices: readonly Choice[];
  readonly hint?: ReactNode;
  /** A field of a dense list: one line each, no frame. */
  readonly dense?: boolean;
}

interface RadioChoicesProps extends ChoicesProps {
  readonly defaultValue?: string;
  readonly onChange?: (value: string) => void;
}

/** One of a few, each with what it means. */
export function RadioChoices({ defaultValue, onChange, ...rest }: RadioChoicesProps) {
  return <Choices {...rest} type="radio" isChosen={(value) => value === defaultValue} onChange={onChange} />;
}

interface CheckChoicesProps extends ChoicesProps {
  readonly defaultValues?: readonly string[];
}

/** Any of a few. The form's values of this name are those that are checked. */
export function CheckChoices({ defaultValues = [], ...rest }: CheckChoicesProps) {
  return <Choices {...rest} type="checkbox" isChosen={(value) => defaultValues.includes(value)} />;
}

interface InputProps {
  readonly type: 'radio' | 'checkbox';
  readonly isChosen: (value: string) => boolean;
  readonly onChange?: ((value: string) => void) | undefined;
}

/** The platform's own inputs, in a group with a name. An error of the field is shown below them, and read out. */
function Choices(props: ChoicesProps & InputProps) {
  const { name, legend, choices, hint, dense = false, type, isChosen, onChange } = props;
  const id = useId();
  return (
    <Field.Root name={name} render={<fieldset name={name} />} className={styles.group}>
      <legend>{legend}</legend>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      <div className={classNames(styles.choices, dense && styles.dense)}>
        {choices.map(({ value, label, meaning, isHidden }) => {
          const describedBy = meaning === undefined ? undefined : `${id}-${value}`;
          return (
            <label key={value} className={styles.choice} hidden={isHidden}>
              <input
                type={type}
                name={name}
                value={value}
                defaultChecked={isChosen(value)}
                aria-labelledby={`${id}-${value}-label`}
                aria-describedby={describedBy}
                onChange={onChange && (() => onChange(value))}
              />
              <span>
                <span id={`${id}-${value}-label`} className={styles.label}>
                  {label}
                </span>
                {meaning !== undefined && (
                  <span id={describedBy} className={styles.meaning}>
                    {meaning}
                  </span>
                )}
              </span>
            </label>
          );
        })}
      </div>
      <Field.Error className={styles.error} />
    </Field.Root>
  );
}

export function textsOf(values: FormData, name: string): string[] {
  return values.getAll(name).filter((value) => typeof value === 'string');
}
