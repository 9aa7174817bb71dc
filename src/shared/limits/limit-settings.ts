/** What bounds the calls of a caller and of all callers. Gateway and service apply the same numbers, each for itself. */
export interface LimitSettings {
  /** Calls of one credential in `rateWindowSeconds`. A batch counts as its calls, a composite as its parts. */
  readonly ratePerCredential: number;
  /** Calls of one organisation in `rateWindowSeconds`. Only the service knows organisations. */
  readonly ratePerOrganisation: number;
  /** Calls in `unknownWindowSeconds` from one address with credentials that turn out to be unknown. */
  readonly unknownPerAddress: number;
  readonly atOncePerCredential: number;
  readonly atOncePerOrganisation: number;
  /** How long a call may wait for its turn, in milliseconds. */
  readonly maxWaitMs: number;
}

export const rateWindowSeconds = 10;
export const unknownWindowSeconds = 60;

/**
 * Far above what honest teams need: twenty agents with one key that each ask a composite every second make 800 calls in ten
 * seconds; fifty people who open a dashboard of ten queries at once make 500; a hundred pipelines that upload at once, 100.
 * Within these numbers the turns share what the server can do.
 */
export const defaultLimits: LimitSettings = {
  ratePerCredential: 6_000,
  ratePerOrganisation: 12_000,
  unknownPerAddress: 300,
  atOncePerCredential: 256,
  atOncePerOrganisation: 512,
  maxWaitMs: 3_000,
};
