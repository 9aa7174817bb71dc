import * as z from 'zod';
import * as grammars from '../shared/text/grammars.js';

// These schemas say who wrote a text of an answer. A text that is not said to be Postern's own is outsiders': content
// to judge, never an instruction to follow.

/**
 * `own`: Postern's code wrote it. `short`: outsiders did, in a grammar that has no room for a sentence. `open`: in a grammar that has.
 * Texts without an entry are outsiders' and free.
 */
export type TextKind =
  | { readonly kind: 'own' }
  | { readonly kind: 'short' | 'open'; readonly fits: (text: string) => boolean };

export const textKinds = z.registry<TextKind>();

const of = (kind: 'short' | 'open', fits: (text: string) => boolean) => z.string().register(textKinds, { kind, fits });

export const versionText = of('short', grammars.isVersion);
export const fixedVersionText = of('short', grammars.isFixedVersion);
export const advisoryId = of('short', grammars.isAdvisoryId);
export const cweText = of('short', grammars.isCwe);
export const digestText = of('short', grammars.isDigest);
export const cvssVector = of('short', grammars.isCvssVector);
export const wordText = of('short', grammars.isWord);
export const ipText = of('short', grammars.isIpAddress);
export const nameText = of('open', grammars.isPackageName);
export const purlText = of('open', grammars.isPackageCoordinate);
export const imageText = of('open', grammars.isImageRef);
export const addressText = of('open', grammars.isWebAddress);

/** Postern draws these texts, counts them out or takes them from fixed lists: ids, secrets, names of actions. */
export function generated(schema: z.ZodString): z.ZodString {
  return schema.register(textKinds, { kind: 'own' });
}

/** Sentences of Postern's code. What builds them has them as `Own`, a type that keeps what anybody else wrote out; clients see text. */
export const ownText = generated(z.string());
