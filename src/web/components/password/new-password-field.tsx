import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../button/button.js';
import { TextField } from '../field/field.js';
import styles from './new-password-field.module.css';

/** As `newPassword` of the procedures. Only the length counts (NIST SP 800-63B, 5.1.1.2). */
const minLength = 12;
const maxLength = 256;

/** A new password, with its one rule and what is left of it. It can be shown, so it is asked for once. */
export function NewPasswordField({ name, label }: { readonly name: string; readonly label: string }) {
  const [length, setLength] = useState(0);
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className={styles.field}>
      <TextField
        name={name}
        label={label}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        required
        minLength={minLength}
        maxLength={maxLength}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => setLength(event.target.value.length)}
        hint={hintFor(length)}
      />
      <Button
        look="quiet"
        size="small"
        className={styles.show ?? ''}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        <Icon aria-hidden="true" /> Show
      </Button>
    </div>
  );
}

function hintFor(length: number): string {
  const rule = `${minLength} characters or more; several words are good.`;
  if (length === 0) return rule;
  return length < minLength ? `${rule} ${minLength - length} to go.` : `${length} characters: long enough.`;
}
