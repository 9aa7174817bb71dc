import { useLocation } from '@tanstack/react-router';
import { tokenOf } from '../../api/link-token.js';
import { TextField } from '../field/field.js';

/** The token of the link that was opened. Without one it is asked for: some people are handed the token alone. */
export function TokenField({ hint }: { readonly hint: string }) {
  const token = tokenOf(useLocation({ select: ({ hash }) => hash }));
  if (token !== null) return <input type="hidden" name="token" value={token} />;
  return (
    <TextField name="token" label="Token" hint={hint} required autoComplete="off" spellCheck={false} maxLength={200} />
  );
}
