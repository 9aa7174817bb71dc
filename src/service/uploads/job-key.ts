/** A job of one organisation. */
export interface JobKey {
  readonly organisationId: string;
  readonly id: string;
}
