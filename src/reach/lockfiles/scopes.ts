import type { Scope } from './package-list.js';

/** Where the project's own manifests enter the graph, by the section that names the package. */
export type Entrances = Readonly<Record<Scope, readonly string[]>>;

export interface Edges {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/**
 * The scope of every package that the entrances lead to. Runtime: reached from a runtime dependency by required edges
 * alone. Optional: reached without a development dependency, but only over something optional. Development: the rest.
 */
export function scopesFrom(entrances: Entrances, edgesOf: (key: string) => Edges): Map<string, Scope> {
  const scopes = new Map<string, Scope>();
  const spread = (scope: Scope, from: readonly string[], targets: (key: string) => readonly string[]) => {
    const waiting = [...from];
    const seen = new Set<string>();
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      if (seen.has(key)) continue;
      seen.add(key);
      if (!scopes.has(key)) scopes.set(key, scope);
      for (const target of targets(key)) if (!seen.has(target)) waiting.push(target);
    }
  };
  const all = (key: string) => [...edgesOf(key).required, ...edgesOf(key).optional];
  spread('runtime', entrances.runtime, (key) => edgesOf(key).required);
  spread('optional', [...entrances.runtime, ...entrances.optional], all);
  spread('development', entrances.development, all);
  return scopes;
}

const exposed = ['runtime', 'optional', 'development'] as const;

/** Of several scopes the one closest to production; runtime where none is known, so that nothing is played down. */
export function closestToProduction(scopes: readonly (Scope | undefined)[]): Scope {
  return exposed.find((scope) => scopes.includes(scope)) ?? 'runtime';
}
