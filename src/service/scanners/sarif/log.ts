import * as z from 'zod';
import { isRecord } from '../../../shared/json/is-record.js';
import type { Intake } from '../intake.js';
import { count, listOf, orNull, recordOf, text } from '../lenient.js';
import { checkCount, parseReport, unreadableReport } from '../parse-report.js';
import { type Kind, kindOf, type Level, levelOf } from './severity.js';

/**
 * SARIF 2.1.0 (OASIS) as far as findings need it. Other keys are ignored, and `null` means "absent", as some tools write
 * it. Where a part is not as the standard says, only that part is ignored: a result needs no more than a rule or a message.
 */
const message = z.object({ text, id: text, arguments: listOf(z.string()) });
const messageStrings = recordOf(z.object({ text }));
const properties = orNull(
  z.object({
    tags: listOf(z.unknown()),
    cwe: z.unknown().optional(),
    'security-severity': z.unknown().optional(),
  }),
);
const level = z
  .unknown()
  .optional()
  .transform((word): Level | null => levelOf(word));
const artifactLocation = z.object({ uri: text, uriBaseId: text, index: count });
const ruleReference = z.object({ id: text, toolComponent: orNull(z.object({ name: text, index: count })) });

const rule = z.object({
  id: text,
  name: text,
  shortDescription: orNull(message),
  fullDescription: orNull(message),
  helpUri: text,
  defaultConfiguration: orNull(z.object({ level })),
  messageStrings,
  relationships: listOf(z.object({ target: ruleReference })),
  properties,
});

/** Results name rules and artifacts by their index, so an odd one keeps its place. */
const placesOf = <Schema extends z.ZodType>(schema: Schema) => z.array(orNull(schema)).catch([]);

const component = z.object({ name: text, rules: placesOf(rule), globalMessageStrings: messageStrings });

const region = z.object({ startLine: count, startColumn: count, snippet: orNull(z.object({ text })) });

const location = z.object({
  physicalLocation: orNull(
    z.object({
      artifactLocation: orNull(artifactLocation),
      region: orNull(region),
      contextRegion: orNull(region),
    }),
  ),
});

const resultParts = z.object({
  ruleId: text,
  ruleIndex: count,
  rule: orNull(ruleReference.extend({ index: count })),
  kind: z
    .unknown()
    .optional()
    .transform((word): Kind => kindOf(word)),
  level,
  /** A tool that follows the standard always writes it; else the rule's text stands for it. */
  message: orNull(message),
  locations: listOf(location),
  fingerprints: recordOf(text),
  partialFingerprints: recordOf(text),
  /** `state` is what drafts of the standard called `status`. */
  suppressions: orNull(z.array(z.object({ status: text, state: text }).catch({ status: 'unknown', state: null }))),
  taxa: listOf(ruleReference),
  properties,
});

type ResultParts = z.infer<typeof resultParts>;

/** One result. There may be a hundred thousand, so they are read one by one. */
export const sarifResult = resultParts.refine((row) => row.message !== null || namesRule(row), {
  path: ['message'],
  message: 'is required in a result that names no rule',
});

function namesRule({ ruleId, ruleIndex, rule }: ResultParts): boolean {
  return ruleId !== null || ruleIndex !== null || (rule !== null && (rule.id !== null || rule.index !== null));
}

const run = z.object({
  tool: z.object({ driver: component.extend({ name: z.string().min(1) }), extensions: placesOf(component) }),
  automationDetails: orNull(z.object({ id: text })),
  invocations: listOf(
    z.object({
      executionSuccessful: z.unknown().optional(),
      commandLine: text,
      arguments: listOf(z.string()),
      startTimeUtc: text,
      endTimeUtc: text,
      workingDirectory: orNull(artifactLocation),
    }),
  ),
  versionControlProvenance: listOf(z.object({ mappedTo: orNull(artifactLocation) })),
  originalUriBaseIds: recordOf(artifactLocation),
  artifacts: placesOf(z.object({ location: orNull(artifactLocation) })),
  results: z.array(z.unknown()).nullish(),
});

const log = z.object({ version: z.literal('2.1.0'), runs: z.array(z.unknown()).min(1) });

export type SarifRule = z.infer<typeof rule>;
export type SarifResult = ResultParts;
export type SarifRun = z.infer<typeof run> & {
  /** Its place in the log. */
  readonly at: number;
  readonly results: readonly unknown[];
};
export type ArtifactLocation = z.infer<typeof artifactLocation>;

/**
 * The runs of a SARIF document that were scans. One without `results` ended before it scanned (3.14.23), and must not count
 * as a scan that found nothing. A run that cannot be read is skipped with its results. Rejects what is not SARIF 2.1.0, or
 * has no such run.
 */
export function readSarif(document: unknown, intake: Intake): SarifRun[] {
  const { runs } = parseReport('code', log, document);
  const count = runs.reduce<number>((sum, each) => sum + rowsOf(each), 0);
  checkCount('code', 'runs', count, 'results');
  const scans = runs.flatMap((each, at) => {
    const parsed = intake.part(run, each, ['runs', at], rowsOf(each));
    return parsed?.results ? [{ ...parsed, results: parsed.results, at }] : [];
  });
  if (scans.length === 0) {
    intake.requireReadable(false);
    throw unreadableReport('code', 'runs.0.results', 'is required: an empty list where a scan found nothing');
  }
  return scans;
}

function rowsOf(run: unknown): number {
  return isRecord(run) && Array.isArray(run['results']) ? run['results'].length : 0;
}
