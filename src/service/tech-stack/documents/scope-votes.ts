import type { Scope } from '../stack-package.js';
import { strongerScope } from '../stack-package.js';

/** The scopes in which components are needed. One that is needed at run time anywhere is a runtime package. */
export class ScopeVotes {
  readonly #scopes = new Map<string, Scope>();

  add(ref: string, scope: Scope): void {
    this.#scopes.set(ref, strongerScope(this.#scopes.get(ref) ?? scope, scope));
  }

  /** A component that nothing is said of is there at run time. */
  of(ref: string): Scope {
    return this.#scopes.get(ref) ?? 'runtime';
  }
}
