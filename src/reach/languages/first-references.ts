import type { Reference } from './language.js';
import type { PlaceOf, Position } from './positions.js';

/** The references of a file: of each key, by default the target, the first place. */
export class FirstReferences {
  readonly #byKey = new Map<string, Reference>();
  readonly #placeOf: PlaceOf;

  constructor(placeOf: PlaceOf) {
    this.#placeOf = placeOf;
  }

  get all(): Reference[] {
    return [...this.#byKey.values()];
  }

  add(reference: Omit<Reference, keyof Position>, offset: number, key = reference.target): void {
    if (!this.#byKey.has(key)) this.#byKey.set(key, { ...reference, ...this.#placeOf(offset) });
  }

  /** Gives a target that is named a role of its own. */
  setRole(target: string, role: NonNullable<Reference['role']>): void {
    const found = this.#byKey.get(target);
    if (found !== undefined) this.#byKey.set(target, { ...found, role });
  }
}
