/** One error in an input: where, as `packages.3.version` (`` for the whole), and what would be right. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}
