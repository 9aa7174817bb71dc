import { z } from 'zod';

/** A list that may be absent or null: both mean empty. */
function list<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
}

const text = z.string();
const date = text.pipe(z.coerce.date());
const severities = list(z.object({ type: text, score: text }));

/** The `*_specific` objects belong to the databases. One of an unknown shape counts as absent. */
const optionalText = text.nullish().catch(null);
const optionalTexts = list(text).catch([]);

const rangeSchema = z.object({
  type: text,
  events: list(
    z.object({
      introduced: text.nullish(),
      fixed: text.nullish(),
      last_affected: text.nullish(),
      limit: text.nullish(),
    }),
  ),
});

const affectedSchema = z.object({
  package: z.object({ ecosystem: text, name: text, purl: text.nullish() }).nullish(),
  ranges: list(rangeSchema),
  versions: list(text),
  severity: severities,
  ecosystem_specific: z
    .object({
      imports: list(z.object({ path: text, symbols: list(text) })).catch([]),
      affects: z
        .object({ functions: list(text) })
        .nullish()
        .catch(null),
      affected_functions: optionalTexts,
    })
    .nullish()
    .catch(null),
  database_specific: z
    .object({
      affected_functions: optionalTexts,
      informational: optionalText,
      categories: optionalTexts,
      last_known_affected_version_range: optionalText,
    })
    .nullish()
    .catch(null),
});

/** An OSV record (https://ossf.github.io/osv-schema/), reduced to the keys that we use. Other keys are allowed. */
export const osvRecordSchema = z.object({
  id: text.min(1),
  modified: date,
  published: date.nullish(),
  withdrawn: date.nullish(),
  aliases: list(text),
  related: list(text),
  upstream: list(text),
  summary: text.nullish(),
  details: text.nullish(),
  severity: severities,
  affected: list(affectedSchema),
  references: list(z.object({ type: text.nullish(), url: text })),
  database_specific: z
    .object({ severity: optionalText, cwe_ids: optionalTexts, 'malicious-packages-origins': z.unknown().optional() })
    .nullish()
    .catch(null),
});

export type OsvRecord = z.infer<typeof osvRecordSchema>;
export type OsvAffected = OsvRecord['affected'][number];
