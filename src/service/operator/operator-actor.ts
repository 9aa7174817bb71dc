/** The holder of the operator key, in the audit log. */
export const operatorActor = { kind: 'operator', id: 'operator', name: 'operator' } as const;

/** Origin of an operator's request; null where there was no request, as at the first run. */
export interface OperatorRequest {
  readonly ip: string | null;
  readonly requestId: string | null;
}
