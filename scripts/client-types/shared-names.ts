import * as z from 'zod';
import * as alertDetails from '../../src/procedures/alert-details.js';
import * as coverage from '../../src/procedures/coverage.js';
import * as findings from '../../src/procedures/findings.js';
import * as postureParts from '../../src/procedures/posture-parts.js';
import * as postureViews from '../../src/procedures/posture-views.js';
import * as receipt from '../../src/procedures/receipt.js';
import * as risk from '../../src/procedures/risk.js';
import * as vulnerability from '../../src/procedures/vulnerability.js';
import * as wire from '../../src/procedures/wire.js';

/** Where several domains take schemas from: an object that one of them exports has its name. */
const parts = [alertDetails, coverage, findings, postureParts, postureViews, receipt, risk, vulnerability, wire];

const exported = new Map(
  parts.flatMap((part) =>
    Object.entries(part).flatMap(([name, schema]) =>
      schema instanceof z.ZodObject ? [[schema.def, pascal(name)] as const] : [],
    ),
  ),
);

interface Answer {
  /** The name of its type. */
  readonly name: string;
  readonly output: z.ZodObject;
}

/**
 * The objects that answers have at several places, each with a name: that of its export, or of the first place. Copies of a schema
 * with other words share its definition.
 */
export function sharedNames(
  answers: readonly Answer[],
): ReadonlyMap<unknown, { readonly name: string; readonly schema: z.ZodObject }> {
  const seen = new Map<unknown, { name: string; schema: z.ZodObject; places: number }>();
  const visit = (schema: z.core.$ZodType, place: string): void => {
    if (schema instanceof z.ZodObject) {
      const before = seen.get(schema.def);
      if (before !== undefined) {
        before.places += 1;
        return;
      }
      seen.set(schema.def, { name: exported.get(schema.def) ?? place, schema, places: 1 });
      for (const [field, inner] of Object.entries(schema.shape))
        visit(inner, place + (field === 'items' ? 'Item' : pascal(field)));
    } else for (const inner of partsOf(schema)) visit(inner, place);
  };
  for (const { name, output } of answers) visit(output, name);
  return new Map([...seen].filter(([, { places }]) => places > 1));
}

function partsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return [schema.unwrap()];
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodUnion) return schema.options;
  return schema instanceof z.ZodRecord ? [schema.valueType] : [];
}

export function pascal(name: string): string {
  return name.replace(/(?:^|[_-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
