import { isTool } from '../knowledge/development-tools.js';
import type { LockedPackage } from '../lockfiles/package-list.js';

/**
 * Whether a package holds declarations of types and no code, so that no program can load it: DefinitelyTyped, and typeshed's
 * distributions (https://github.com/python/typeshed#the-typeshed-project).
 */
export function holdsOnlyTypes({ ecosystem, name }: Pick<LockedPackage, 'ecosystem' | 'name'>): boolean {
  return (ecosystem === 'npm' && name.startsWith('@types/')) || (ecosystem === 'PyPI' && /^types[-_.]/i.test(name));
}

/**
 * Whether a package is only for development, by its scope and by its name. Either alone would not do: applications bundle what
 * they declare for development, and some tools run in production.
 */
export function isDevelopmentTool({
  ecosystem,
  name,
  scope,
}: Pick<LockedPackage, 'ecosystem' | 'name' | 'scope'>): boolean {
  return scope === 'development' && isTool(ecosystem, name, 'development');
}
