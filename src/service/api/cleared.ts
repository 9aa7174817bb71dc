import { invalidField } from '../http/api-error.js';

type Cleared<Given, Field> = { [Key in keyof Given]: Given[Key] | (Key extends Field ? null : never) };

/** An input in which the fields to empty are null. Throws where one of them is given too. */
export function withCleared<Given extends object, Field extends keyof Given & string>(
  given: Given,
  clear: readonly Field[] = [],
): Cleared<Given, Field> {
  const both = clear.findIndex((field) => given[field] !== undefined);
  if (both !== -1) throw invalidField(`clear.${both}`, 'given_too');
  return { ...given, ...Object.fromEntries(clear.map((field) => [field, null])) };
}

/** The same of what changes something: throws where nothing is to change. */
export function changesOf<Given extends object, Field extends keyof Given & string>(
  given: Given,
  clear?: readonly Field[],
): Cleared<Given, Field> {
  const changes = withCleared(given, clear);
  if (Object.values(changes).every((value) => value === undefined)) throw invalidField('', 'no_change');
  return changes;
}
