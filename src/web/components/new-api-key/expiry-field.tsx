import { useState } from 'react';
import { SelectField, TextField } from '../field/field.js';
import { exact } from '../time/format.js';
import { lifetimes } from './key-values.js';

const dayMs = 86_400_000;

/** When the key ends. A key that ends by itself is one that nobody has to remember. */
export function ExpiryField() {
  const [chosen, setChosen] = useState('90');
  const hint =
    chosen === 'never'
      ? 'It works until somebody revokes it. Prefer an end: a forgotten key stays open.'
      : chosen === 'date'
        ? undefined
        : `Until ${exact(new Date(Date.now() + Number(chosen) * dayMs))}.`;
  return (
    <>
      <SelectField
        name="lifetime"
        label="Expires after"
        hint={hint}
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
      >
        {Object.entries(lifetimes).map(([days, words]) => (
          <option key={days} value={days}>
            {words}
          </option>
        ))}
        <option value="date">a date</option>
        <option value="never">never</option>
      </SelectField>
      {chosen === 'date' && (
        <TextField name="expires_at" label="Last day" type="date" required min={localDate(new Date())} />
      )}
    </>
  );
}

/** `2026-11-23` in the reader's zone, as a date field takes it. */
function localDate(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 10);
}
