import * as z from 'zod';

/** The registries whose packages are known, by OSV's names (OSV schema, "Defined Ecosystems"). The one list of them. */
export const ecosystem = z.enum(['npm', 'PyPI', 'Go', 'crates.io', 'Maven', 'RubyGems', 'NuGet', 'Packagist']);

export type Ecosystem = z.infer<typeof ecosystem>;

export const ecosystems: readonly Ecosystem[] = ecosystem.options;

export function isEcosystem(name: string): name is Ecosystem {
  return ecosystems.some((each) => each === name);
}
