/** One error in an input: where, as `packages.3.version` (`` for the whole), and what would be right. */
export interface InvalidField {
  readonly field: string;
  readonly message: string;
}

/** What its schema finds wrong with a field, for those who have words of their own for it. */
export type InvalidCode =
  | 'required'
  | 'not_known'
  | 'wrong_type'
  | 'wrong_format'
  | 'not_one_of'
  | 'too_small'
  | 'too_large'
  | 'invalid';

export interface InvalidInput extends InvalidField {
  readonly code: InvalidCode;
}
