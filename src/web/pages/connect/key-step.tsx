import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/may.js';
import { Button } from '../../components/button/button.js';
import { TextField } from '../../components/field/field.js';
import { NewApiKey } from '../../components/new-api-key/new-api-key.js';
import { isKey } from './agents.js';
import styles from './page.module.css';

interface KeyStepProps {
  /** The agent's. The new key is called so. */
  readonly name: string;
  /** Null while what was entered is no key. */
  readonly onKey: (key: string | null) => void;
}

/** A key made on the spot, or the reader's own. */
export function KeyStep({ name, onKey }: KeyStepProps) {
  const isAdmin = useMay()('apiKeys.create');
  const [text, setText] = useState('');
  const [isMaking, setMaking] = useState(false);
  const enter = (entered: string) => {
    const key = entered.trim();
    setText(key);
    onKey(isKey(key) ? key : null);
  };
  const hint =
    text === '' || isKey(text)
      ? 'It goes into the configuration below and stays in this page: nothing is sent.'
      : 'A key is postern_live_ and 64 letters and digits. This is not one, so the configuration has a place for it.';
  return (
    <>
      {isAdmin ? (
        <p className={styles.quiet}>ReadOnly is right for most agents: it can ask everything and change nothing.</p>
      ) : (
        <p className={styles.quiet}>
          An admin of your organisation makes it, under API Keys. Say what will use it; ReadOnly is enough to ask.
        </p>
      )}
      <div className={styles.key}>
        {isAdmin && (
          <Button onClick={() => setMaking(true)}>
            <KeyRound aria-hidden="true" /> Make a key
          </Button>
        )}
        <div className={styles.own}>
          <TextField
            name="own_key"
            label={isAdmin ? 'Or your own key' : 'Your key'}
            value={text}
            onChange={(event) => enter(event.target.value)}
            hint={hint}
            type="password"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
          />
        </div>
      </div>
      <NewApiKey
        open={isMaking}
        onClose={() => setMaking(false)}
        onMade={({ key }) => enter(key)}
        defaultName={name.startsWith('Others') ? '' : name}
      />
    </>
  );
}
