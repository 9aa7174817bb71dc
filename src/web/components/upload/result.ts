import * as z from 'zod/mini';
import { counted } from '../format/format.js';

const receipt = z.object({
  rows: z.number(),
  taken: z.number(),
  merged: z.number(),
  skipped: z.number(),
  skipped_rows: z.array(z.object({ pointer: z.string(), reason: z.string() })),
  left_out: z.array(z.object({ kind: z.string(), count: z.number() })),
});
export type Receipt = z.output<typeof receipt>;

const changes = z.object({
  new: z.number(),
  reopened: z.number(),
  fixed: z.number(),
  unchanged: z.number(),
  suppressed: z.number(),
});

/** What the answers to uploads have in common, and what each has alone. An upload's job keeps its answer as free JSON. */
const result = z.object({
  duplicate: z.optional(z.boolean()),
  receipt: z.optional(receipt),
  note: z.optional(z.nullable(z.string())),
  findings: z.optional(changes),
  source: z.optional(z.string()),
  format: z.optional(z.string()),
  added: z.optional(z.number()),
  updated: z.optional(z.number()),
  removed: z.optional(z.number()),
  unchanged: z.optional(z.number()),
  alerts: z.optional(z.object({ opened: z.number(), reopened: z.number(), resolved: z.number() })),
  not_matched: z.optional(z.object({ count: z.number(), note: z.nullable(z.string()) })),
  vulnerabilities: z.optional(z.object({ taken: z.number(), without_alert: z.number() })),
  dependencies: z.optional(z.number()),
  verdicts: z.optional(z.object({ created: z.number(), updated: z.number(), pending: z.boolean() })),
  proposals: z.optional(z.object({ created: z.number(), unchanged: z.number(), superseded: z.number() })),
});
type Result = z.output<typeof result>;

/** Null for an answer of a form that this page does not know. */
export function readResult(answer: unknown): Result | null {
  const parsed = result.safeParse(answer);
  return parsed.success ? parsed.data : null;
}

export function changeSentences(result: Result): string[] {
  const { duplicate, findings, note, added, alerts, not_matched, vulnerabilities, verdicts, proposals } = result;
  if (duplicate === true) return ['This very content was here already: nothing changed.'];
  const sentences: string[] = [];
  if (findings !== undefined) sentences.push(findingSentence(findings));
  if (note !== undefined && note !== null) sentences.push(note);
  if (added !== undefined) {
    sentences.push(
      `Packages of ${result.source}: ${added} added, ${result.updated} updated, ${result.removed} removed, ${result.unchanged} unchanged.`,
    );
  }
  if (alerts !== undefined) {
    const { opened, reopened, resolved } = alerts;
    sentences.push(`Alerts: ${opened} opened, ${reopened} reopened, ${resolved} resolved.`);
  }
  if (not_matched !== undefined && not_matched.count > 0) {
    const why = not_matched.note === null ? '' : ` ${not_matched.note}`;
    sentences.push(`${counted(not_matched.count, 'component')} kept that no feed is compared with.${why}`);
  }
  if (vulnerabilities !== undefined && vulnerabilities.taken > 0) {
    const { taken, without_alert } = vulnerabilities;
    sentences.push(
      `The document states ${counted(taken, 'vulnerability', 'vulnerabilities')}; for ${without_alert} no advisory here gives an alert.`,
    );
  }
  if (verdicts !== undefined) {
    const more = verdicts.pending ? ' The others follow.' : '';
    sentences.push(`Verdicts: ${verdicts.created} new, ${verdicts.updated} updated.${more}`);
  }
  if (proposals !== undefined) {
    const { created, unchanged, superseded } = proposals;
    sentences.push(
      `Proposals: ${created} new, ${unchanged} unchanged, ${superseded} superseded. A member decides each.`,
    );
  }
  return sentences;
}

function findingSentence({ new: fresh, reopened, fixed, unchanged, suppressed }: z.output<typeof changes>): string {
  return `Findings: ${fresh} new, ${reopened} reopened, ${fixed} fixed, ${unchanged} unchanged, ${suppressed} accepted in the report.`;
}

const leftOutWords: Readonly<Record<string, string>> = {
  misconfigurations: 'misconfigurations',
  secrets: 'secrets',
  licences: 'licences',
  passed: 'passed checks',
  system_packages: 'packages of the system',
  fixed: 'said to be fixed',
  under_investigation: 'still under investigation',
  other: 'of other kinds',
};

/** The receipt as a sum: rows = taken + merged + skipped + left out. */
export function receiptSentence({ rows, taken, merged, skipped, left_out }: Receipt): string {
  const parts = [
    `${taken} taken`,
    `${merged} merged with one that was taken`,
    `${skipped} skipped`,
    ...left_out.map(({ kind, count }) => `${count} left out (${leftOutWords[kind] ?? kind})`),
  ];
  return `${counted(rows, 'row')}: ${parts.join(', ')}.`;
}
