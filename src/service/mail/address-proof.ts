import { hashSecret } from '../auth/api-key.js';

/** What the payload of an `address_proof` holds once it is sent. The member's address may have been changed since. */
export function addressProof(token: string, email: string) {
  return { token_hash: hashSecret(token).toString('hex'), email };
}
