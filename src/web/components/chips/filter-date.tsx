import { X } from 'lucide-react';
import styles from './chips.module.css';

interface FilterDateProps {
  readonly label: string;
  /** `2026-11-22` */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A filter of one day, by the platform's own field. */
export function FilterDate({ label, value, onChange }: FilterDateProps) {
  return (
    <span className={styles.filter} data-set={value !== undefined || undefined}>
      <label>
        <span>{label}</span>
        <input
          type="date"
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
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
