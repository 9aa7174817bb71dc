import * as z from 'zod';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageKey, packageName } from '../../shared/packages/package-name.js';
import { normaliseName } from '../../shared/packages/purl.js';
import { readVulnerabilityId } from '../../shared/vulnerability-id.js';
import { matchedEcosystem } from '../matching/advisory.js';
import type { ReadResult, Source } from './feed.js';
import type { FeedFile } from './file-bytes.js';
import { openRecords } from './record-files.js';
import { describeIssue, type RecordPosition, toBad } from './record-text.js';

/** The vulnerable functions of one advisory, which its own record does not name. */
export interface SymbolRecord {
  readonly id: string;
  /** Other ids of it, or of its whole group of aliases. */
  readonly aliases: readonly string[];
  /** One entry for each package. Ecosystems that we do not match are left out. */
  readonly packages: readonly SymbolPackage[];
}

interface SymbolPackage {
  readonly ecosystem: Ecosystem;
  /** As the registry compares it. */
  readonly name: string;
  /** As advisories spell them: `package.symbol` for npm. */
  readonly symbols: readonly string[];
  /** A project that references none of them does not use what is vulnerable. */
  readonly canExclude: boolean;
}

const vulnerabilityId = z.string().max(200).transform(readVulnerabilityId);

const affectedSchema = z.object({
  package: z.object({ ecosystem: z.string().max(100), name: z.string().max(500) }),
  symbols: z
    .array(z.string().regex(/^[^\s\p{Cc}\p{Cs}]{1,500}$/u, 'is not the name of a function'))
    .min(1)
    .max(500),
  modulePath: z.unknown().optional(),
});

/**
 * A record of npm-vuln-symbols (https://github.com/sonukapoor/npm-vuln-symbols, schema/advisory.schema.json), reduced to
 * what we use. Other keys are allowed.
 */
const recordSchema = z.object({
  id: vulnerabilityId.pipe(z.string('is not the id of an advisory')),
  aliases: z
    .array(vulnerabilityId)
    .max(200)
    .nullish()
    .transform((ids) => (ids ?? []).filter((id) => id !== null)),
  affected: z.array(affectedSchema).min(1).max(500),
  /** Absent for a call. Any other trigger, such as a value that is passed on, shows in no reference. */
  trigger: z.unknown().optional(),
  evidence: z.object({ source: z.unknown().optional(), confidence: z.unknown().optional() }),
});

/**
 * Opens a zip, NDJSON or JSON file of records that name vulnerable functions. An unusable record is reported; an unusable
 * file throws.
 */
export function openSymbols(file: FeedFile): Promise<Source<SymbolRecord>> {
  return openRecords('symbols', file, readSymbolValue);
}

function readSymbolValue(place: RecordPosition, value: unknown): ReadResult<SymbolRecord> {
  const parsed = recordSchema.safeParse(value);
  if (!parsed.success) return toBad(place, ...describeIssue(parsed.error));
  const { id, aliases, affected } = parsed.data;
  const isExact = namesExactly(parsed.data);
  const packages = new Map<string, SymbolPackage>();
  for (const [index, { package: named, symbols, modulePath }] of affected.entries()) {
    const ecosystem = matchedEcosystem(named.ecosystem);
    if (ecosystem === null) continue;
    const name = packageName.safeParse(normaliseName(ecosystem, named.name));
    if (!name.success) return toBad(place, `affected.${index}.package.name`, describeIssue(name.error)[1]);
    const key = packageKey({ ecosystem, package_name: name.data });
    const known = packages.get(key);
    // Of a file of its own, a reference may show no more than the file's name.
    const canExclude = isExact && ecosystem === 'npm' && modulePath == null;
    packages.set(key, {
      ecosystem,
      name: name.data,
      symbols: [
        ...new Set([...(known?.symbols ?? []), ...symbols.map((symbol) => fullName(ecosystem, name.data, symbol))]),
      ],
      canExclude: canExclude && known?.canExclude !== false,
    });
  }
  return { kind: 'record', record: { id, aliases: [...new Set(aliases)].sort(), packages: [...packages.values()] } };
}

/** Sources that name functions as users of the package import them: the advisory's own text. */
const publicSources: readonly unknown[] = ['advisory_text', 'advisory_text+fix_commit'];

/**
 * Whether the functions named are the public ones, and all of them. Those of a fix's diff may be internal ones. The data's
 * own rule (its CONTRIBUTING.md): below `high`, where text and diff agree, no one should conclude that a project is not affected.
 */
function namesExactly({ evidence, trigger }: z.output<typeof recordSchema>): boolean {
  const isCall = trigger === undefined || trigger === null || trigger === 'call';
  return isCall && publicSources.includes(evidence.source) && evidence.confidence === 'high';
}

/** Records name what is imported: `template`, `XMLParser.parse`. The package in front tells a class from another name of the module. */
function fullName(ecosystem: Ecosystem, name: string, symbol: string): string {
  const isFull = ecosystem !== 'npm' || symbol === name || symbol.startsWith(`${name}.`);
  return isFull ? symbol : `${name}.${symbol}`;
}
