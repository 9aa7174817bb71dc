import * as z from 'zod';
import { checkCount, parseReport, unreadableReport } from '../parse-report.js';

/**
 * SARIF 2.1.0 (OASIS) as far as findings need it. Other keys are ignored, and `null` means "absent", as some tools write
 * it.
 */
const text = z.string().nullish();
const index = z.int().nullish();
const message = z.object({ text, id: text, arguments: z.array(z.string()).nullish() });
const messageStrings = z.record(z.string(), z.object({ text })).nullish();
const properties = z
  .object({
    tags: z.array(z.unknown()).nullish().catch(null),
    cwe: z.unknown().optional(),
    'security-severity': z.unknown().optional(),
  })
  .nullish();
const level = z.enum(['none', 'note', 'warning', 'error']).nullish();
const artifactLocation = z.object({ uri: text, uriBaseId: text, index });
const ruleReference = z.object({ id: text, toolComponent: z.object({ name: text, index }).nullish() });

const rule = z.object({
  id: text,
  name: text,
  shortDescription: message.nullish(),
  fullDescription: message.nullish(),
  helpUri: text,
  defaultConfiguration: z.object({ level }).nullish(),
  messageStrings,
  relationships: z.array(z.object({ target: ruleReference })).nullish(),
  properties,
});

const component = z.object({ name: text, rules: z.array(rule).nullish(), globalMessageStrings: messageStrings });

const region = z.object({ startLine: index, startColumn: index, snippet: z.object({ text }).nullish() });

/** One result. There may be a hundred thousand, so they are read one by one. */
export const sarifResult = z.object({
  ruleId: text,
  ruleIndex: index,
  rule: ruleReference.extend({ index }).nullish(),
  kind: z.enum(['pass', 'open', 'informational', 'notApplicable', 'review', 'fail']).nullish(),
  level,
  message,
  locations: z
    .array(
      z.object({
        physicalLocation: z
          .object({
            artifactLocation: artifactLocation.nullish(),
            region: region.nullish(),
            contextRegion: region.nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
  fingerprints: z.record(z.string(), z.string()).nullish(),
  partialFingerprints: z.record(z.string(), z.string()).nullish(),
  /** `state` is what drafts of the standard called `status`. */
  suppressions: z.array(z.object({ status: text, state: text })).nullish(),
  taxa: z.array(ruleReference).nullish(),
  properties,
});

const run = z.object({
  tool: z.object({
    driver: component.extend({ name: z.string().min(1) }),
    extensions: z.array(component).nullish(),
  }),
  automationDetails: z.object({ id: text }).nullish(),
  invocations: z
    .array(
      z.object({
        executionSuccessful: z.boolean().nullish(),
        startTimeUtc: text,
        endTimeUtc: z.string().nullish().catch(null),
        workingDirectory: artifactLocation.nullish(),
      }),
    )
    .nullish(),
  versionControlProvenance: z
    .array(z.object({ mappedTo: artifactLocation.nullish() }))
    .nullish()
    .catch(null),
  originalUriBaseIds: z.record(z.string(), artifactLocation).nullish(),
  artifacts: z.array(z.object({ location: artifactLocation.nullish() })).nullish(),
  results: z.array(z.unknown()).nullish(),
});

const log = z.object({ version: z.literal('2.1.0'), runs: z.array(run).min(1) });

export type SarifRule = z.infer<typeof rule>;
export type SarifResult = z.infer<typeof sarifResult>;
export type SarifRun = z.infer<typeof run>;
export type ArtifactLocation = z.infer<typeof artifactLocation>;

/**
 * The runs of a SARIF document that were scans. One without `results` ended before it scanned (3.14.23), and must not count
 * as a scan that found nothing. Rejects what is not SARIF 2.1.0, or has no such run.
 */
export function readSarif(document: unknown): SarifRun[] {
  const runs = parseReport('code', log, document).runs.filter(
    ({ results }) => results !== null && results !== undefined,
  );
  if (runs.length === 0) {
    throw unreadableReport('code', 'runs.0.results', 'is required: an empty list where a scan found nothing');
  }
  const count = runs.reduce((sum, { results }) => sum + (results?.length ?? 0), 0);
  checkCount('code', 'runs', count, 'results');
  return runs;
}
