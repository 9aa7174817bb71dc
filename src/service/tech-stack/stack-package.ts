import type * as z from 'zod';
import type { scope } from '../../procedures/vulnerability.js';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { normaliseName } from '../../shared/packages/purl.js';

export type Scope = z.infer<typeof scope>;

/** One package of a manifest, as a tech stack tracks it. */
export interface StackPackage {
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
}

type Identity = Pick<StackPackage, 'ecosystem' | 'package_name' | 'version'>;

/** Identifies a package within its source. Names and versions contain no spaces. */
export function identityOf({ ecosystem, package_name, version }: Identity): string {
  return `${ecosystem} ${package_name} ${version}`;
}

/** Identifies a package, whatever its version. */
export function packageKeyOf({ ecosystem, package_name }: Omit<Identity, 'version'>): string {
  return `${ecosystem} ${package_name}`;
}

/** The package with its name as the registry compares it, and a one-line deprecation notice. */
export function toStackPackage(named: Omit<StackPackage, 'package_name'>): StackPackage {
  return {
    ...named,
    package_name: normaliseName(named.ecosystem, named.name),
    deprecated: named.deprecated?.replace(/[\s\p{Cc}]+/gu, ' ').trim() || null,
  };
}

/** Of two mentions the stronger scope counts: a package that is needed at run time stays a runtime package. */
const strength: Record<Scope, number> = { runtime: 2, optional: 1, development: 0 };

/**
 * Merges two mentions of one package: the stronger scope, and direct if either is. Null where they contradict each
 * other: one version cannot have two different deprecation notices.
 */
export function mergeMentions(a: StackPackage, b: StackPackage): StackPackage | null {
  if (a.deprecated !== null && b.deprecated !== null && a.deprecated !== b.deprecated) return null;
  return {
    ...a,
    scope: strength[b.scope] > strength[a.scope] ? b.scope : a.scope,
    direct: a.direct === true || b.direct === true ? true : (a.direct ?? b.direct),
    deprecated: a.deprecated ?? b.deprecated,
  };
}
