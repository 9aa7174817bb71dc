import type * as z from 'zod';
import { findingTool, type TopFinding, type TopRisk } from '../../procedures/posture.js';
import { maxSteps, type RankedFinding, type RankedRisk, type Upgrade } from '../../procedures/risk.js';
import type { usageClass } from '../../procedures/vulnerability.js';
import { cut, jsonBytes } from '../../shared/text/cut.js';
import { maxTokens } from '../../shared/text/max-tokens.js';
import { percent } from '../../shared/text/number-text.js';
import { joinOwn, type Own, own, ownDigits } from '../../shared/text/own.js';
import { cleanString } from '../untrusted/untrusted-text.js';
import { worseFirst } from './worse-first.js';

/**
 * The `count` worst of several domains' findings, as a composite shows them.
 *
 * @param room what the answer has left for all of them
 */
export function worstOf(findings: readonly RankedFinding[], count: number, { bytes, tokens }: Room): TopFinding[] {
  const ofEach = { bytes: Math.min(maxBytes, Math.floor(bytes / count) - 1), tokens: Math.floor(tokens / count) };
  return worst(findings, count).map((finding) => within(ofEach, (ofText) => shorten(finding, ofText)));
}

/** The same of risks, each with the upgrade that closes it. They share their room, so that a long name may stay whole. */
export function worstRisksOf(risks: readonly RankedRisk[], count: number, room: Room): TopRisk[] {
  const shown = worst(risks, count);
  return within(room, (ofText) => shown.map((risk) => shortenRisk(risk, ofText)));
}

function worst<Finding extends RankedFinding>(findings: readonly Finding[], count: number): Finding[] {
  return findings.toSorted(worseFirst).slice(0, count);
}

/** With the longest texts that there is room for. */
function within<Short extends object>(room: Room, shortened: (textBytes: number) => Short): Short {
  let ofText = textBytes.max;
  let shown = shortened(ofText);
  while (!hasRoom(room, shown) && ofText > textBytes.min) {
    ofText -= textBytes.step;
    shown = shortened(ofText);
  }
  return shown;
}

/** Bytes of one finding as JSON, also where there is room for more. */
const maxBytes = 560;

/** Bytes of each text: as many as all of them leave room for. */
const textBytes = { max: 80, min: 8, step: 8 };

function shorten(finding: RankedFinding, bytes: number): TopFinding {
  const cutIfAny = (text: string | null) => (text === null ? null : cutClean(text, bytes));
  return {
    domain: finding.domain,
    project: { id: finding.project.id, name: cutClean(finding.project.name, bytes) },
    risk: finding.risk,
    why: whyRanked(finding),
    title: cutClean(finding.title, bytes),
    tier: finding.tier,
    cve: cutIfAny(finding.cve),
    package: cutIfAny(finding.package),
    location: cutIfAny(finding.location),
    effective_priority: rounded(finding.effective_priority, 1),
    epss: rounded(finding.epss, 5),
    kev: finding.kev,
    id: finding.id,
    tool: findingTool[finding.domain],
  };
}

function shortenRisk(risk: RankedRisk, bytes: number): TopRisk {
  const { kev, epss, package: name, ...shown } = shorten(risk, bytes);
  return { ...shown, fix: risk.fix && shortenUpgrade(risk.fix, bytes) };
}

/**
 * Names and versions keep more than other texts: cut, they name nothing that can be installed. Where other texts have less
 * than they need, one version is named, and none where there is no room at all. `more` counts the rest.
 */
function shortenUpgrade(upgrade: Upgrade, bytes: number): Upgrade {
  const kept = Math.max(bytes, nameBytes);
  const cutIfAny = (text: string | null) => (text === null ? null : cutClean(text, kept));
  const named = bytes >= nameBytes ? maxSteps : Number(bytes > textBytes.min);
  const steps = upgrade.steps.slice(0, named);
  return {
    ...upgrade,
    package: cutClean(upgrade.package, bytes > textBytes.min ? kept : bytes),
    steps: steps.map(({ from, to, status, direct }) => ({
      from: cutClean(from, kept),
      to: cutIfAny(to),
      status,
      direct: cutIfAny(direct),
    })),
    more: upgrade.more + upgrade.steps.length - steps.length,
    priority: rounded(upgrade.priority, 1),
  };
}

/** Bytes that are enough for nearly every name and version: those of Go without a release have 36. */
const nameBytes = 48;

/** With the digits that the score has by its definition; a sum of floats may have more. */
function rounded(score: number | null, digits: number): number | null {
  return score === null ? null : Number(score.toFixed(digits));
}

/** Bytes of `…`, the shortest text that a cut leaves. */
const minBytes = 3;

/**
 * A cleaned text in at most `bytes` of JSON. A cut can bare what hides text: within a tag it turns a quoted value into
 * markup, and `[name]: some words` becomes a link definition. Then less of the text is kept, until nothing is hidden.
 */
export function cutClean(text: string, bytes: number): string {
  const kept = cut(text, bytes);
  return bytes <= minBytes || cleanString(kept) === kept ? kept : cutClean(text, bytes - 1);
}

/** Why a finding ranks where it does, in a few words: its risk, how its package is used, and the number it is ranked by. */
export function whyRanked(finding: RankedFinding): Own {
  const words = [riskWords(finding), finding.usage && own`${usageWords[finding.usage]}`, measureWords(finding)];
  return joinOwn(
    words.filter((part) => part !== null),
    '; ',
  );
}

function riskWords({ risk, domain, usage }: RankedFinding): Own | null {
  if (risk === 'known_exploited') return own`known to be exploited`;
  if (risk !== 'reachable') return null;
  if (domain === 'code') return own`in production code`;
  return usage === 'called' || usage === 'imported' || usage === 'loaded' ? null : own`ruled exploitable`;
}

function measureWords({ risk, tier, severity, effective_priority, epss }: RankedFinding): Own {
  const rating = own`${tier}, ${severity} severity`;
  if (risk === 'critical') return epss === null ? rating : own`${rating}; EPSS ${ownDigits(percent(epss))}`;
  return effective_priority === null ? rating : own`EffectivePriority ${Number(effective_priority.toFixed(1))}`;
}

const usageWords = {
  called: 'used by reached code',
  imported: 'imported',
  loaded: 'loaded at run time',
  transitive_only: 'brought in, or may be used',
  not_analyzed: 'use not analyzed',
  not_loaded: 'brought in, not loaded',
  dev_only: 'used in development only',
  not_used: 'not used',
} as const satisfies Record<z.infer<typeof usageClass>, string>;

/**
 * What an answer may have: bytes as JSON, and tokens (o200k) as `maxTokens` estimates them from above. Bytes bound what is common;
 * in a script that the tokenizer hardly knows a byte may be a token.
 */
export interface Room {
  readonly bytes: number;
  readonly tokens: number;
}

/** The room that is left beside the fields that every answer has. */
export function roomBeside({ bytes, tokens }: Room, taken: object): Room {
  return { bytes: bytes - jsonBytes(taken), tokens: tokens - maxTokens(JSON.stringify(taken)) };
}

function hasRoom({ bytes, tokens }: Room, value: object): boolean {
  return jsonBytes(value) <= bytes && maxTokens(JSON.stringify(value)) <= tokens;
}
