import * as z from 'zod';

/** Text that Postern's code wrote, and nobody else any part of it. Only what is here makes it. */
const ownText = z.string().brand<'own'>();
export type Own = z.output<typeof ownText>;

/** Such a text may hold these: numbers, values of fixed lists, and other such texts. Any other text is a type error. */
type Part = string | number;
type OwnPart<Given extends Part> = Given extends number | Own ? Given : Listed<Given>;

/** A type that lists its values; never for all texts, or a pattern of them: a record of those needs no key. */
type Listed<Given extends Part> = Record<never, unknown> extends Readonly<Record<Given, unknown>> ? never : Given;

/** Words of the code around parts that are the code's as well: own`${3} of ${total} projects have no stack`. */
export function own<const Parts extends readonly Part[]>(
  words: TemplateStringsArray,
  ...parts: { readonly [Place in keyof Parts]: OwnPart<Parts[Place]> }
): Own {
  return ownText.parse(String.raw({ raw: words }, ...parts));
}

/** Several of them in one. */
export function joinOwn(texts: readonly Own[], separator: '; ' | ' ' | ', '): Own {
  return ownText.parse(texts.join(separator));
}

/** Takes a text of digits alone, as counts and days are. Throws for any other. */
export function ownDigits(text: string): Own {
  if (!/^[\d.,:%TZe+ -]*$/.test(text)) throw new TypeError('a number or a date was expected');
  return ownText.parse(text);
}
