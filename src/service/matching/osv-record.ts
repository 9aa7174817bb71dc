import { z } from 'zod';
import { type Affected, type Range, type RangeEvent, withLastKnown } from './affected.js';
import { type Cvss, type Severity, chooseCvss, severityOf } from './cvss.js';
import { type Ecosystem, isEcosystem, normaliseName } from './versions/index.js';

/** Databases leave lists out, or write null: both are empty. */
function list<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
}

const text = z.string();
const severities = list(z.object({ type: text, score: text }));

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
      imports: list(z.object({ path: text, symbols: list(text) })),
      affects: z.object({ functions: list(text) }).nullish(),
      affected_functions: list(text),
    })
    .nullish(),
  database_specific: z
    .object({
      informational: text.nullish(),
      categories: list(text),
      last_known_affected_version_range: text.nullish(),
    })
    .nullish(),
});

/** An OSV record as we read it (https://ossf.github.io/osv-schema/). Keys we do not use are dropped, not refused. */
export const osvRecordSchema = z.object({
  id: text.min(1),
  modified: z.coerce.date(),
  published: z.coerce.date().nullish(),
  withdrawn: z.coerce.date().nullish(),
  aliases: list(text),
  related: list(text),
  upstream: list(text),
  summary: text.nullish(),
  details: text.nullish(),
  severity: severities,
  affected: list(affectedSchema),
  references: list(z.object({ type: text.nullish(), url: text })),
  database_specific: z.object({ severity: text.nullish(), cwe_ids: list(text) }).nullish(),
});

export type OsvRecord = z.infer<typeof osvRecordSchema>;
