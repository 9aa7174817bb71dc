import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import styles from './chips.module.css';

interface TextFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A pause in typing after which the list is asked, in milliseconds. */
const pause = 250;

/** A filter by text. It is applied in a pause of typing, and what was typed stays. */
export function TextFilter({ label, value, onChange }: TextFilterProps) {
  const [text, setText] = useState(value ?? '');
  const sent = useRef(value);
  useEffect(() => {
    // Changed elsewhere: by the back button or a link.
    if (value === sent.current) return;
    sent.current = value;
    setText(value ?? '');
  }, [value]);
  useEffect(() => {
    const next = text.trim() === '' ? undefined : text.trim();
    if (next === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = next;
      onChange(next);
    }, pause);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return (
    <span className={styles.filter} data-set={value !== undefined || undefined}>
      <label>
        <span>{label}</span>
        <input type="text" value={text} maxLength={200} onChange={(event) => setText(event.target.value)} />
      </label>
      {value !== undefined && (
        <button type="button" aria-label={`Remove the filter ${label}`} onClick={() => setText('')}>
          <X aria-hidden="true" />
        </button>
      )}
    </span>
  );
}
