import * as z from 'zod';
import { placeOf } from './hash-partitions.js';

const node = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  Alias: z.string().optional(),
  'Actual Loops': z.number().optional(),
  'Index Cond': z.string().optional(),
  'Recheck Cond': z.string().optional(),
  Filter: z.string().optional(),
  'Hash Cond': z.string().optional(),
  'Merge Cond': z.string().optional(),
  'Join Filter': z.string().optional(),
  get Plans() {
    return z.array(node).optional();
  },
});
type Node = z.output<typeof node>;

const explained = z.object({ 'Query Text': z.string(), Plan: node });

/** A statement as it was executed once. */
export interface Executed {
  /** Without what differs from one execution to the next. */
  readonly statement: string;
  /** The tenants' tables that were looked into. */
  readonly tables: readonly string[];
  /** Those of them for which more than one organisation's shard was asked. */
  readonly crossed: readonly string[];
}

/** What a notice of auto_explain says; null for other notices. */
export function readPlan(notice: string): Executed | null {
  const [, json] = /^duration: \S+ ms {2}plan:\n(.*)$/s.exec(notice) ?? [];
  if (json === undefined) return null;
  const { 'Query Text': text, Plan: plan } = explained.parse(JSON.parse(json));
  const nodes = nodesOf(plan);
  const bound = boundTo(nodes);
  const scans = nodes.flatMap((each) => scanOf(each, bound));
  return { statement: inShort(text), tables: distinct(scans.map(({ table }) => table)), crossed: crossedOf(scans) };
}

/** Tables that were looked into in several shards, or whole ones without an organisation; all, where each was in another shard. */
function crossedOf(scans: readonly Scan[]): readonly string[] {
  const whole = scans.filter(({ shard, isKeyed }) => shard === null && !isKeyed).map(({ table }) => table);
  const asked = scans.filter(({ shard, isPruned }) => shard !== null && !isPruned);
  const shardsOf = (some: readonly Scan[]) => new Set(some.map(({ shard }) => shard)).size;
  const wide = asked.filter(({ table }) => shardsOf(asked.filter((each) => each.table === table)) > 1);
  const apart = shardsOf(asked) > 1 && wide.length === 0 ? asked : wide;
  return distinct([...whole, ...apart.map(({ table }) => table)]);
}

const distinct = (names: readonly string[]) => [...new Set(names)].sort();

function nodesOf(plan: Node): Node[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

interface Scan {
  readonly table: string;
  readonly shard: number | null;
  /** Its organisation is given, or that of another scan to which it is equal. */
  readonly isKeyed: boolean;
  /**
   * The executor left the partition out because another one has the organisation's rows. A scan can also be without execution because
   * nobody asked for its rows, as behind a limit: that is chance, and it counts as looked into.
   */
  readonly isPruned: boolean;
}

function scanOf(scan: Node, bound: ReadonlySet<string>): Scan[] {
  const place = scan['Node Type'] === 'ModifyTable' ? null : placeOf(scan['Relation Name'] ?? '');
  if (place === null) return [];
  const isCompared = comparisonsOf(scan).some(({ left }) => left === scan.Alias);
  return [{ ...place, isKeyed: bound.has(scan.Alias ?? ''), isPruned: scan['Actual Loops'] === 0 && isCompared }];
}

interface Comparison {
  /** The alias of a table whose organisation is compared. */
  readonly left: string;
  /** Another alias, or null for a value. */
  readonly right: string | null;
}

/** A comparison of a foreign key's trigger, whose value comes first. */
const reversed = /(\$\d+|'[^']*'::text) = \(?((?:\w+\.)?organisation_id)\b/g;

const comparison = /(?:\b(\w+)\.)?\b(organisation_id|id) = \(*(?:(\w+)\.(\w+)|(ANY)\b)?/g;

/** Conditions of a node on organisations. Where a statement has one table, its columns are without the alias. */
function comparisonsOf(plan: Node): Comparison[] {
  const { Alias: alias = '', 'Relation Name': relation = '' } = plan;
  const conditions = [plan['Index Cond'], plan['Recheck Cond'], plan.Filter];
  const text = [...conditions, plan['Hash Cond'], plan['Merge Cond'], plan['Join Filter']]
    .join(' ')
    .replace(reversed, '$2 = $1');
  return [...text.matchAll(comparison)].flatMap(([, left = alias, column, right, , any]) => {
    const isOwner = column === 'organisation_id' || (left === alias && placeOf(relation)?.table === 'organisations');
    return isOwner && any === undefined ? [{ left, right: right ?? null }] : [];
  });
}

/** Aliases whose organisation is equal to a value, directly or through other aliases. */
function boundTo(nodes: readonly Node[]): ReadonlySet<string> {
  const all = nodes.flatMap(comparisonsOf);
  const bound = new Set(all.filter(({ right }) => right === null).map(({ left }) => left));
  for (let size = -1; size !== bound.size; ) {
    size = bound.size;
    for (const { left, right } of all) {
      if (right !== null && bound.has(right)) bound.add(left);
      if (right !== null && bound.has(left)) bound.add(right);
    }
  }
  return bound;
}

/** One text for statements that differ in numbers of parameters alone. */
function inShort(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/\$\d+/g, '?')
    .replace(/\?(?:, \?)+/g, '?…')
    .replace(/\((?:\?…?|default)\)(?:, \((?:\?…?|default)\))+/g, '(?)…')
    .trim();
}
