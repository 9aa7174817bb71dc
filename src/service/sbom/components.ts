import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { printPurl } from '../../shared/packages/purl.js';
import type { Scope } from '../../shared/vulnerability-terms.js';
import { developmentProperties } from '../tech-stack/sbom-packages.js';
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

/** CycloneDX's words. */
const scopeNames: Readonly<Record<Scope, string>> = {
  runtime: 'required',
  optional: 'optional',
  development: 'excluded',
};

/** CycloneDX `component`. Licences are left out: a tech stack does not know them. */
export function toComponent(component: NamedComponent) {
  const { ecosystem, purl, version, scope } = component;
  const { group, name } = splitName(component);
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name,
    version,
    scope: scopeNames[scope],
    purl,
    // `excluded` alone does not say that a package is there for development.
    ...(scope === 'development' && { properties: [{ name: developmentProperties[ecosystem], value: 'true' }] }),
  };
}

/** Group and name of a registry's names, where they have both: what package URLs call the namespace and the name. */
const groupShapes: Readonly<Record<Ecosystem, RegExp | null>> = {
  npm: /^(@[^/]*)\/(.+)$/,
  PyPI: null,
  Go: null,
  'crates.io': null,
  Maven: /^([^:]+):(.+)$/,
  RubyGems: null,
  NuGet: null,
  Packagist: /^([^/]+)\/(.+)$/,
};

function splitName({ ecosystem, name }: StackPackage): { readonly group?: string; readonly name: string } {
  const [, group, ownName] = groupShapes[ecosystem]?.exec(name) ?? [];
  return group === undefined || ownName === undefined ? { name } : { group, name: ownName };
}
