/** What a list of findings shows. */
export interface Shown {
  readonly projectId: string | undefined;
  /** They are of several states. */
  readonly withState: boolean;
}
