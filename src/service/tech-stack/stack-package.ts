import type * as z from 'zod';
import type { scope } from '../../procedures/vulnerability.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { normaliseName } from '../../shared/packages/purl.js';
import type { Asker, Completeness, ComponentHash, Licence } from '../db/tables/projects.js';

export type Scope = z.infer<typeof scope>;

/** What a manifest says of a component besides its name, scope and place. */
export interface ManifestFacts {
  /** Keys (`identityOf`, or the key of an unmatched component) of what it needs from the same source, sorted. */
  readonly dependencies: readonly string[];
  /** Whether `dependencies` are all of them. */
  readonly dependencies_known: Completeness;
  readonly licences: readonly Licence[];
  readonly hashes: readonly ComponentHash[];
  readonly supplier: string | null;
}

export const noFacts: ManifestFacts = {
  dependencies: [],
  dependencies_known: null,
  licences: [],
  hashes: [],
  supplier: null,
};

/** One package of a manifest, as a tech stack tracks it. */
export interface StackPackage extends ManifestFacts {
  readonly ecosystem: Ecosystem;
  /** As the manifest spells it. */
  readonly name: string;
  /** As the registry compares it. */
  readonly package_name: string;
  readonly version: string;
  readonly scope: Scope;
  /** Null where the manifest does not distinguish direct from transitive dependencies. */
  readonly direct: boolean | null;
  /** The maintainers' deprecation notice, where the manifest carries it. */
  readonly deprecated: string | null;
  /**
   * Identities of the packages of the same source whose archives carry it, sorted; empty where it is not known which. Null where no
   * copy is carried so.
   */
  readonly bundled_in: readonly string[] | null;
  /** The ranges that it asks of its dependencies, by their identities; null where the source knows none. */
  readonly ranges: Readonly<Record<string, string>> | null;
  /** The project's manifests that ask for it; null where the source does not say. */
  readonly asked_by: readonly Asker[] | null;
}

type Identity = Pick<StackPackage, 'ecosystem' | 'package_name' | 'version'>;

/** Identifies a package within its source. Names and versions contain no spaces. */
export function identityOf({ ecosystem, package_name, version }: Identity): string {
  return `${ecosystem} ${package_name} ${version}`;
}

/** A package as given, where facts are optional. */
type Optional = 'bundled_in' | 'ranges' | 'asked_by';
type Named = Omit<StackPackage, 'package_name' | Optional | keyof ManifestFacts> &
  Partial<Pick<StackPackage, Optional> & ManifestFacts>;

/** The package with its name as the registry compares it, and a one-line deprecation notice. */
export function toStackPackage(named: Named): StackPackage {
  const { ecosystem, name, version, scope, direct, deprecated, ...facts } = named;
  return {
    ecosystem,
    name,
    package_name: normaliseName(ecosystem, name),
    version,
    scope,
    direct,
    deprecated: deprecated?.replace(/[\s\p{Cc}]+/gu, ' ').trim() || null,
    bundled_in: facts.bundled_in ?? null,
    ranges: facts.ranges ?? null,
    asked_by: facts.asked_by ?? null,
    dependencies: facts.dependencies ?? noFacts.dependencies,
    dependencies_known: facts.dependencies_known ?? null,
    licences: facts.licences ?? noFacts.licences,
    hashes: facts.hashes ?? noFacts.hashes,
    supplier: facts.supplier ?? null,
  };
}

/** Of two mentions the stronger scope counts: a package that is needed at run time stays a runtime package. */
const strength: Record<Scope, number> = { runtime: 2, optional: 1, development: 0 };

export function strongerScope(a: Scope, b: Scope): Scope {
  return strength[b] > strength[a] ? b : a;
}

/** Direct if either mention is. */
export function mergeDirect(a: boolean | null, b: boolean | null): boolean | null {
  return a === true || b === true ? true : (a ?? b);
}

/** Of two statements on one list the more careful one. */
export function lessKnown(a: Completeness, b: Completeness): Completeness {
  if (a === b) return a;
  return a === 'incomplete' || b === 'incomplete' ? 'incomplete' : null;
}

/** Merges what two mentions say. Licences and digests are those of the first mention that has any. */
export function mergeFacts(a: ManifestFacts, b: ManifestFacts): ManifestFacts {
  return {
    dependencies: b.dependencies.length === 0 ? a.dependencies : sortedKeys([...a.dependencies, ...b.dependencies]),
    dependencies_known: lessKnown(a.dependencies_known, b.dependencies_known),
    licences: a.licences.length > 0 ? a.licences : b.licences,
    hashes: a.hashes.length > 0 ? a.hashes : b.hashes,
    supplier: a.supplier ?? b.supplier,
  };
}

function mergeBundles(a: StackPackage['bundled_in'], b: StackPackage['bundled_in']): StackPackage['bundled_in'] {
  return a === null || b === null ? (a ?? b) : sortedKeys([...a, ...b]);
}

function mergeAskers(a: StackPackage['asked_by'], b: StackPackage['asked_by']): StackPackage['asked_by'] {
  if (a === null || b === null) return a ?? b;
  const keyOf = ({ file, override = '' }: Asker) => `${file}\n${override}`;
  const known = new Set(a.map(keyOf));
  return [...a, ...b.filter((each) => !known.has(keyOf(each)))];
}

export function sortedKeys(keys: Iterable<string>): string[] {
  return [...new Set(keys)].sort();
}

/**
 * Merges two mentions of one package: the stronger scope, and direct if either is. Null where they contradict each
 * other: one version cannot have two different deprecation notices.
 */
export function mergeMentions(a: StackPackage, b: StackPackage): StackPackage | null {
  if (a.deprecated !== null && b.deprecated !== null && a.deprecated !== b.deprecated) return null;
  return {
    ...a,
    scope: strongerScope(a.scope, b.scope),
    direct: mergeDirect(a.direct, b.direct),
    deprecated: a.deprecated ?? b.deprecated,
    bundled_in: mergeBundles(a.bundled_in, b.bundled_in),
    ranges: a.ranges === null || b.ranges === null ? (a.ranges ?? b.ranges) : { ...b.ranges, ...a.ranges },
    asked_by: mergeAskers(a.asked_by, b.asked_by),
    ...mergeFacts(a, b),
  };
}
