/** What a list of findings shows. */
export interface Shown {
  readonly projectId: string | undefined;
  /** A detail is beside the list, which leaves room for little. */
  readonly isOpen: boolean;
  /** They are of several states. */
  readonly withState: boolean;
}
