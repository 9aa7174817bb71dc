import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { printPurl } from '../../shared/packages/purl.js';
import { compareText } from '../../shared/text/compare-text.js';
import type { Scope } from '../../shared/vulnerability-terms.js';
import type { Licence } from '../db/tables/projects.js';
import { deprecationProperty, developmentProperties } from '../tech-stack/documents/component-properties.js';
import { type ManifestFacts, mergeMentions, type StackPackage } from '../tech-stack/stack-package.js';
import { mergeUnmatched, type UnmatchedComponent } from '../tech-stack/unmatched-component.js';
import type { InventoryItem, OtherComponent } from './inventory.js';

/** A package version of the project, with the package URL that documents name it by. */
export interface NamedComponent extends StackPackage {
  /** Package URL; also the component's `bom-ref`. */
  readonly purl: string;
}

/** The project's package versions in the order of their package URLs. One named by several manifests comes once. */
export function namedComponents(items: readonly InventoryItem[]): NamedComponent[] {
  const components = new Map<string, NamedComponent>();
  for (const { updated_at: _, source: __, ...listed } of [...items].sort(bySpelling)) {
    const item = { ...listed, ranges: null, asked_by: null };
    const purl = printPurl(item);
    const known = components.get(purl);
    components.set(purl, { ...(known === undefined ? item : (mergeMentions(known, item) ?? known)), purl });
  }
  return [...components.values()].sort((a, b) => compareText(a.purl, b.purl));
}

/** Of several spellings of one name, the document always uses the same one. */
function bySpelling(a: InventoryItem, b: InventoryItem): number {
  return (
    compareText(a.name, b.name) ||
    compareText(a.deprecated ?? '', b.deprecated ?? '') ||
    compareText(a.source, b.source)
  );
}

/** The project's other components in the order of their keys, each once. */
export function otherComponents(others: readonly OtherComponent[]): UnmatchedComponent[] {
  const components = new Map<string, UnmatchedComponent>();
  const inOrder = [...others].sort((a, b) => compareText(a.key, b.key) || compareText(a.source, b.source));
  for (const { updated_at: _, source: __, ...other } of inOrder) {
    const known = components.get(other.key);
    components.set(other.key, known === undefined ? other : mergeUnmatched(known, other));
  }
  return [...components.values()];
}

/** CycloneDX's words. */
const scopeNames: Record<Scope, string> = { runtime: 'required', optional: 'optional', development: 'excluded' };

/** CycloneDX `component`. */
export function toComponent(component: NamedComponent) {
  const { ecosystem, purl, version, scope, deprecated } = component;
  const { group, name } = splitName(component);
  const properties = [
    // `excluded` alone does not say that a package is there for development.
    ...(scope === 'development' ? [{ name: developmentProperties[ecosystem], value: 'true' }] : []),
    ...(deprecated === null ? [] : [{ name: deprecationProperty, value: deprecated }]),
  ];
  return {
    type: 'library',
    'bom-ref': purl,
    ...supplierOf(component),
    ...(group !== undefined && { group }),
    name,
    version,
    scope: scopeNames[scope],
    ...factsOf(component),
    purl,
    ...(properties.length > 0 && { properties }),
  };
}

/** CycloneDX `component` of what no feed matches. Its key is its `bom-ref`. */
export function toOtherComponent(component: UnmatchedComponent) {
  const { key, kind, purl, component_group, name, version, scope } = component;
  return {
    type: kind,
    'bom-ref': key,
    ...supplierOf(component),
    ...(component_group !== null && { group: component_group }),
    name,
    ...(version !== null && { version }),
    scope: scopeNames[scope],
    ...factsOf(component),
    ...(purl !== null && { purl }),
    ...(scope === 'development' && { properties: [{ name: developmentProperties.Go, value: 'true' }] }),
  };
}

function supplierOf({ supplier }: ManifestFacts) {
  return supplier !== null && { supplier: { name: supplier } };
}

function factsOf({ hashes, licences }: ManifestFacts) {
  return {
    ...(hashes.length > 0 && { hashes: hashes.map(({ alg, content }) => ({ alg, content })) }),
    ...(licences.length > 0 && { licenses: licencesOf(licences) }),
  };
}

/** CycloneDX 1.6 takes one expression alone, or any number of licences by id or name. */
function licencesOf(licences: readonly Licence[]) {
  const [only, ...others] = licences;
  if (only !== undefined && 'expression' in only && others.length === 0) return [only];
  return licences.map((licence) => ({ license: 'expression' in licence ? { name: licence.expression } : licence }));
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
