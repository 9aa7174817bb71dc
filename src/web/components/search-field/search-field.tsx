import { useEffect, useState } from 'react';
import styles from './search-field.module.css';

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
