import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import styles from './chips.module.css';

interface FilterSelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly options: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value | undefined) => void;
  /** What no choice means. */
  readonly all?: string;
}

/** A filter of one choice. A set one shows as chosen, with a way to remove it. */
export function FilterSelect<Value extends string>({
  label,
  value,
  options,
  onChange,
  all = 'any',
}: FilterSelectProps<Value>) {
  const names = Object.entries<string>(options);
  const isValue = (name: string): name is Value => Object.hasOwn(options, name);
  const choose = (chosen: string) => onChange(isValue(chosen) ? chosen : undefined);
  return (
    <span className={styles.filter} data-set={value !== undefined || undefined}>
      <label>
        <span>{label}</span>
        <select value={value ?? ''} onChange={(event) => choose(event.target.value)}>
          <option value="">{all}</option>
          {names.map(([name, word]) => (
            <option key={name} value={name}>
              {word}
            </option>
          ))}
        </select>
      </label>
      {value !== undefined && (
        <button type="button" aria-label={`Remove the filter ${label}`} onClick={() => onChange(undefined)}>
          <X aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

interface FilterTextProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder: string;
  readonly onChange: (value: string | undefined) => void;
}

/** A filter that is typed. It counts on Enter, and when the field is left. */
export function FilterText({ label, value, placeholder, onChange }: FilterTextProps) {
  const [typed, setTyped] = useState(value ?? '');
  const [shown, setShown] = useState(value);
  // A filter that changes elsewhere, as by the back button, shows here.
  if (shown !== value) {
    setShown(value);
    setTyped(value ?? '');
  }
  const commit = () => {
    const given = typed.trim();
    if (given !== (value ?? '')) onChange(given === '' ? undefined : given);
  };
  return (
    <span className={styles.filter} data-set={value !== undefined || undefined}>
      <label>
        <span>{label}</span>
        <input
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          placeholder={placeholder}
          maxLength={200}
          spellCheck={false}
          onBlur={commit}
          onKeyDown={(event) => event.key === 'Enter' && commit()}
        />
      </label>
      {value !== undefined && (
        <button type="button" aria-label={`Remove the filter ${label}`} onClick={() => onChange(undefined)}>
          <X aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

interface FilterBarProps {
  readonly children: ReactNode;
  readonly total?: ReactNode;
  /** Where a page has two. */
  readonly label?: string;
}

/** A row of filters above a list, with what they leave: `112 alerts`. */
export function FilterBar({ children, total, label = 'Filters' }: FilterBarProps) {
  return (
    <search className={styles.bar} aria-label={label}>
      {children}
      {total !== undefined && (
        <span className={styles.total} role="status">
          {total}
        </span>
      )}
    </search>
  );
}
