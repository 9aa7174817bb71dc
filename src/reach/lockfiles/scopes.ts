import type { LockedPackage, Scope } from './package-list.js';

/** The packages that the project's manifests ask for, by the section that names them. */
export type Roots = Readonly<Record<Scope, readonly string[]>>;

export interface Edges extends Pick<LockedPackage, 'ranges'> {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
}

/**
 * The scope of every package that the roots lead to. Runtime: a runtime root leads to it by required edges alone.
 * Optional: a runtime or optional root leads to it, but only over something optional. Development: the rest.
 */
export function scopesFrom(roots: Roots, edges: ReadonlyMap<string, Edges>): Map<string, Scope> {
  const scopes = new Map<string, Scope>();
  const spread = (scope: Scope, from: readonly string[], targets: (key: string) => readonly string[]) => {
    // A set also visits what is added to it meanwhile.
    const visited = new Set(from);
    for (const key of visited) {
      if (!scopes.has(key)) scopes.set(key, scope);
      for (const target of targets(key)) visited.add(target);
    }
  };
  const required = (key: string) => edges.get(key)?.required ?? [];
  const all = (key: string) => [...required(key), ...(edges.get(key)?.optional ?? [])];
  spread('runtime', roots.runtime, required);
  spread('optional', [...roots.runtime, ...roots.optional], all);
  spread('development', roots.development, all);
  return scopes;
}

const byExposure = ['runtime', 'optional', 'development'] as const;

/** Of several scopes the one closest to production. Where none is known it is runtime: a risk is never rated too low. */
export function closestToProduction(scopes: readonly (Scope | undefined)[]): Scope {
  return byExposure.find((scope) => scopes.includes(scope)) ?? 'runtime';
}

/** The fields of a package that its project's graph decides, by the package's key. */
export function fieldsFrom(roots: Roots, edges: ReadonlyMap<string, Edges>) {
  const scopes = scopesFrom(roots, edges);
  const direct = new Set(Object.values(roots).flat());
  return (key: string) => {
    const { required = [], optional = [], ranges } = edges.get(key) ?? {};
    const scope = closestToProduction([scopes.get(key)]);
    return { key, scope, direct: direct.has(key), dependencies: [...required, ...optional], ...(ranges && { ranges }) };
  };
}
