import { X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Options } from '../field/options.js';
import styles from './chips.module.css';

interface FilterProps<Value> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
}

/** A filter around its control. A set one shows as chosen, with a way to remove it. */
function Filter({ label, value, onChange, children }: FilterProps<string> & { readonly children: ReactNode }) {
  return (
    <span className={styles.filter} data-set={value !== undefined || undefined}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the children are its control. */}
      <label>
        <span>{label}</span>
        {children}
      </label>
      {value !== undefined && (
        <button type="button" aria-label={`Remove the filter ${label}`} onClick={() => onChange(undefined)}>
          <X aria-hidden="true" />
        </button>
      )}
    </span>
  );
}

interface FilterSelectProps<Value extends string> extends FilterProps<Value> {
  readonly options: Readonly<Record<Value, string>>;
  /** The option that stands for no choice. */
  readonly all?: string;
}

export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, value, options, onChange, all = 'any' } = props;
  const isValue = (name: string | undefined): name is Value => name !== undefined && Object.hasOwn(options, name);
  const choose = (chosen: string | undefined) => onChange(isValue(chosen) ? chosen : undefined);
  return (
    <Filter label={label} value={value} onChange={choose}>
      <select value={value ?? ''} onChange={(event) => choose(event.target.value)}>
        <option value="">{all}</option>
        <Options words={options} />
      </select>
    </Filter>
  );
}

interface FilterFlagProps extends FilterProps<boolean> {
  /** For `true`, and for `false` where that can be asked for. */
  readonly words: Readonly<Record<string, string>>;
}

export function FilterFlag({ value, onChange, words, ...rest }: FilterFlagProps) {
  const word = value === undefined ? undefined : value ? 'true' : 'false';
  return (
    <FilterSelect<string>
      {...rest}
      value={word}
      options={words}
      onChange={(next) => onChange(next === undefined ? undefined : next === 'true')}
    />
  );
}

/** A filter that is typed. It counts on Enter, and when the field is left. */
export function FilterText({ placeholder, ...filter }: FilterProps<string> & { readonly placeholder: string }) {
  const { value, onChange } = filter;
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
    <Filter {...filter}>
      <input
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        placeholder={placeholder}
        maxLength={200}
        spellCheck={false}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
    </Filter>
  );
}

/** A filter of one day, such as `2026-11-22`, by the platform's own field. */
export function FilterDate(filter: FilterProps<string>) {
  const { value, onChange } = filter;
  return (
    <Filter {...filter}>
      <input type="date" value={value ?? ''} onChange={(event) => onChange(event.target.value || undefined)} />
    </Filter>
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

interface SearchFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Milliseconds without a key before what was typed becomes the filter. */
const pauseMs = 250;

/** Free text that a list is searched for. It applies after a short pause, and follows the address when the reader goes back. */
export function SearchField({ label, value = '', onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [applied, setApplied] = useState(value);
  if (applied !== value) {
    setApplied(value);
    if (typed.trim() !== value) setTyped(value);
  }
  useEffect(() => {
    const next = typed.trim();
    if (next === value) return;
    const timer = setTimeout(() => onChange(next === '' ? undefined : next), pauseMs);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <input
      type="search"
      className={styles.input}
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={200}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
