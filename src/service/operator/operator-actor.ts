/** The operator in the audit log: whoever holds the operator key. */
export const operatorActor = { kind: 'operator', id: 'operator', name: 'operator' } as const;

/** Where an operator's request came from; null where it was no request, as at the first run. */
export interface OperatorRequest {
  readonly ip: string | null;
  readonly requestId: string | null;
}
