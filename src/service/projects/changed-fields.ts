/** The fields that an update changes, before and after; the audit log keeps them. */
export interface ChangedFields<Fields> {
  readonly before: Partial<Fields>;
  readonly after: Partial<Fields>;
}

/** The given fields that differ from the current ones; null where none differs. `undefined` means "not given". */
export function changedFields<Fields extends object>(
  current: Fields,
  given: { readonly [Key in keyof Fields]?: Fields[Key] | undefined },
): ChangedFields<Fields> | null {
  const before: Partial<Fields> = {};
  const after: Partial<Fields> = {};
  for (const key in current) {
    const value = given[key];
    if (value === undefined || value === current[key]) continue;
    before[key] = current[key];
    after[key] = value;
  }
  return Object.keys(after).length === 0 ? null : { before, after };
}
