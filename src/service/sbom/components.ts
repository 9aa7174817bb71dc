import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { printPurl } from '../../shared/packages/purl.js';
import { compareText } from '../../shared/text/compare-text.js';
import type { Scope } from '../../shared/vulnerability-terms.js';
import { developmentProperties } from '../tech-stack/sbom-packages.js';
import { mergeMentions, type StackPackage } from '../tech-stack/stack-package.js';
import type { InventoryItem } from './inventory.js';

/** A package version of the project, with the package URL that documents name it by. */
export interface NamedComponent extends StackPackage {
  /** Package URL; also the component's `bom-ref`. */
  readonly purl: string;
}

/** The project's package versions in the order of their package URLs. One named by several manifests comes once. */
export function namedComponents(items: readonly InventoryItem[]): NamedComponent[] {
  const components = new Map<string, NamedComponent>();
  for (const { updated_at: _, ...item } of [...items].sort(bySpelling)) {
    const purl = printPurl(item);
    const known = components.get(purl);
    components.set(purl, { ...(known === undefined ? item : (mergeMentions(known, item) ?? known)), purl });
  }
  return [...components.values()].sort((a, b) => compareText(a.purl, b.purl));
}

/** Of several spellings of one name, the document always uses the same one. */
function bySpelling(a: InventoryItem, b: InventoryItem): number {
  return compareText(a.name, b.name) || compareText(a.deprecated ?? '', b.deprecated ?? '');
}

/** CycloneDX's words. */
const scopeNames: Record<Scope, string> = { runtime: 'required', optional: 'optional', development: 'excluded' };

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
