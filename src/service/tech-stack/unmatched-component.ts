import { type ManifestFacts, mergeDirect, mergeFacts, type Scope, strongerScope } from './stack-package.js';

/** A component of an SBOM that is kept and exported, and that no feed matches. */
export interface UnmatchedComponent extends ManifestFacts {
  /** Unique in its source: the canonical package URL; for one without, kind, name and version. */
  readonly key: string;
  /** As CycloneDX names types of components. */
  readonly kind: string;
  readonly purl: string | null;
  readonly component_group: string | null;
  readonly name: string;
  readonly version: string | null;
  readonly scope: Scope;
  readonly direct: boolean | null;
}

/** Merges two mentions of one component. */
export function mergeUnmatched(a: UnmatchedComponent, b: UnmatchedComponent): UnmatchedComponent {
  return { ...a, scope: strongerScope(a.scope, b.scope), direct: mergeDirect(a.direct, b.direct), ...mergeFacts(a, b) };
}

/** Types of package URLs of operating systems' packages. Container scans match those. */
const systemTypes: ReadonlySet<string> = new Set([
  'alpm',
  'apk',
  'deb',
  'ebuild',
  'opkg',
  'qpkg',
  'rpm',
  'swid',
  'yocto',
]);

/** The type of the component's package URL; null for one without. */
export function typeOf({ purl }: Pick<UnmatchedComponent, 'purl'>): string | null {
  return purl === null ? null : (/^pkg:([^/]+)\//.exec(purl)?.[1] ?? null);
}

export function isSystemPackage(component: Pick<UnmatchedComponent, 'purl'>): boolean {
  return systemTypes.has(typeOf(component) ?? '');
}
