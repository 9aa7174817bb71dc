import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../button/button.js';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for those who do not see the text beside it. */
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), 2_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );
  const word = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Select it and copy' : 'Copy';
  return (
    <Button look="quiet" size="small" onClick={copy} aria-label={`${word} ${label}`}>
      {outcome === 'copied' ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span role="status">{word}</span>
    </Button>
  );
}

/** Text to copy: a command, a key, an id. */
export function CopyText({ text, label }: CopyButtonProps) {
  return (
    <div className="copy-text">
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
