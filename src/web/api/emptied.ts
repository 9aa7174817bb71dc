type Emptied<Values> = { [Key in keyof Values]-?: null extends Values[Key] ? Key : never }[keyof Values];
type Given<Values> = { readonly [Key in keyof Values as null extends Values[Key] ? never : Key]: Values[Key] } & {
  readonly [Key in keyof Values as null extends Values[Key] ? Key : never]?: NonNullable<Values[Key]>;
};

/** Changes as the API takes them: what a form has left empty, null here, is named in `clear`. */
export function emptied<Values extends object>(values: Values): Given<Values> & { readonly clear: Emptied<Values>[] };
export function emptied(values: Readonly<Record<string, unknown>>) {
  const fields = Object.entries(values);
  return {
    ...Object.fromEntries(fields.filter(([, value]) => value !== null)),
    clear: fields.flatMap(([field, value]) => (value === null ? [field] : [])),
  };
}
