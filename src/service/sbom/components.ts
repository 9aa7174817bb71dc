import { printPurl } from '../../shared/packages/purl.js';
import { developmentProperty } from '../tech-stack/sbom-packages.js';
import { mergeMentions, type StackPackage } from '../tech-stack/stack-package.js';
import type { InventoryItem } from './inventory.js';

/** A package version of the project, under the name that documents give it. */
export interface NamedComponent extends StackPackage {
  /** Package URL; also the component's `bom-ref`. */
  readonly purl: string;
}

/** The project's package versions, each once however many manifests name it, in the order of their package URLs. */
export function namedComponents(items: readonly InventoryItem[]): NamedComponent[] {
  const components = new Map<string, NamedComponent>();
  for (const { updated_at: _, ...item } of [...items].sort(bySpelling)) {
    const purl = printPurl(item);
    const known = components.get(purl);
    components.set(purl, { ...(known === undefined ? item : (mergeMentions(known, item) ?? known)), purl });
  }
  return [...components.values()].sort((a, b) => compare(a.purl, b.purl));
}

/** Of several spellings of one name, always the same one is told. */
function bySpelling(a: InventoryItem, b: InventoryItem): number {
  return compare(a.name, b.name) || compare(a.deprecated ?? '', b.deprecated ?? '');
}

/** By code units: the same on every machine, whatever its language. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const scopes = { runtime: 'required', optional: 'optional', development: 'excluded' } as const;

/** CycloneDX `component`. Licences are left out: a tech stack does not know them. */
export function toComponent(component: NamedComponent) {
  const { purl, version, scope } = component;
  const { group, name } = splitName(component);
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name,
    version,
    scope: scopes[scope],
    purl,
    ...(scope === 'development' && { properties: [{ name: developmentOf(component), value: 'true' }] }),
  };
}

/** The namespace that a registry's names have, apart from the name, as package URLs have it. */
function splitName({ ecosystem, name }: StackPackage): { readonly group?: string; readonly name: string } {
  const separator = ecosystem === 'Maven' ? ':' : '/';
  const hasGroup = ecosystem === 'Maven' || ecosystem === 'Packagist' || (ecosystem === 'npm' && name.startsWith('@'));
  const at = hasGroup ? name.indexOf(separator) : -1;
  return at <= 0 || at === name.length - 1 ? { name } : { group: name.slice(0, at), name: name.slice(at + 1) };
}

/** `excluded` alone does not say that a package is there for development; CycloneDX's taxonomy has names for two registries. */
function developmentOf({ ecosystem }: StackPackage): string {
  switch (ecosystem) {
    case 'npm':
      return 'cdx:npm:package:development';
    case 'Packagist':
      return 'cdx:composer:package:isDevRequirement';
    default:
      return developmentProperty;
  }
}
