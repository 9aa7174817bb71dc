/** The holder of the operator key, in the audit log. */
export const operatorActor = { kind: 'operator', id: 'operator', name: 'operator' } as const;
