import type { UnreadPart } from '../../../procedures/unread.js';
import { readOtherPurl } from '../../../shared/packages/other-purl.js';
import { packageName, packageVersion } from '../../../shared/packages/package-name.js';
import {
  isKnownPurlType,
  normaliseName,
  type PackageCoordinate,
  purlType,
  readPurl,
} from '../../../shared/packages/purl.js';
import { onOneLine } from '../../../shared/text/cut.js';
import { isStorableText } from '../../http/storable-text.js';
import { isVersion } from '../../matching/versions/index.js';
import { nameOf, versionOf } from '../../packages/coordinate.js';
import { identityOf, noFacts, type StackPackage, toStackPackage } from '../stack-package.js';
import { isSystemPackage, type UnmatchedComponent } from '../unmatched-component.js';
import { addressIn, registryNameOf } from './component-origin.js';
import type { SbomComponent } from './sbom.js';

/** What of a component could be a package that feeds know, and cannot be placed. */
export type Unplaced = Pick<UnreadPart, 'ecosystem' | 'name' | 'reason' | 'stated'>;

/** What a component of a document becomes. `label` names it to people. */
type ReadComponent = { readonly label: string } & (
  | {
      readonly become: 'package';
      readonly key: string;
      readonly package: StackPackage;
      readonly unread: Unplaced | null;
    }
  | {
      readonly become: 'unmatched';
      readonly key: string;
      readonly component: UnmatchedComponent;
      readonly unread: Unplaced | null;
    }
  | { readonly become: 'skipped'; readonly reason: string; readonly unread: Unplaced }
  | { readonly become: 'left_out'; readonly unread: Unplaced | null }
);

/** CycloneDX's types of components that feeds could match or that licences are of. The others only structure a document. */
const softwareKinds: ReadonlySet<string> = new Set(['library', 'framework']);

/** CycloneDX 1.6's types of components. */
const knownKinds: ReadonlySet<string> = new Set([
  ...softwareKinds,
  ...['application', 'container', 'platform', 'operating-system', 'device', 'device-driver', 'firmware', 'file'],
  ...['machine-learning-model', 'data', 'cryptographic-asset'],
]);

/** Other kinds that may be a package of a registry all the same: Keycloak is an application. */
const programKinds: ReadonlySet<string> = new Set([
  'application',
  'platform',
  'container',
  'firmware',
  'device-driver',
]);

/** Scanners list lock files and languages as applications; what these hold are components of their own. */
const listing = /[/\\]|\.[a-z]{2,5}$|^(?:node|python|java|ruby|php|go|rust|dotnet)$/i;

/** Types of package URLs whose registries have no package of the eight ecosystems. Any other type may name one. */
const otherRegistries: ReadonlySet<string> = new Set(
  (
    'cocoapods conan cpan cran elm githubactions hackage hex huggingface julia luarocks mlflow opam otp pub swift ' +
    'vscode-extension'
  ).split(' '),
);

/** Characters of a name, a version and a group of a component that is not matched. */
const maxName = 200;

/** Characters of a label. */
const maxLabel = 300;

/** The package that a component is, or what else it is. */
export function readComponent(component: SbomComponent): ReadComponent {
  const { kind, name, version, purls } = component;
  const unplaced = (reason: UnreadPart['reason'], named = name): Unplaced => ({
    ecosystem: null,
    name: onOneLine(named, maxName) || null,
    reason,
    stated: onOneLine(version ?? '', maxName) || null,
  });
  const label = onOneLine(purls[0] ?? [name, version].filter(Boolean).join('@'), maxLabel);
  if (purls.length === 0) {
    if (!softwareKinds.has(kind)) {
      const isNamed = programKinds.has(kind) && name !== '' && !listing.test(name);
      return { label, become: 'left_out', unread: isNamed ? unplaced('application') : null };
    }
    if (name === '') {
      return { label, become: 'skipped', reason: 'has neither a package URL nor a name', unread: unplaced('bad_name') };
    }
    if (version === null) {
      const reason = 'has neither a package URL nor a version';
      return { label, become: 'skipped', reason, unread: unplaced('no_version') };
    }
    return { label, ...unmatched(component, null), unread: unplaced('no_package_url') };
  }
  const purl = purls.find((each) => readPurl(each) !== null) ?? purls.find((each) => readOtherPurl(each) !== null);
  const type = purlType(purl ?? '');
  if (purl === undefined || type === null) {
    const unread = unplaced('no_package_url', name || (purls[0] ?? ''));
    return { label, become: 'skipped', reason: 'has a malformed package URL', unread };
  }
  const coordinate = readPurl(purl);
  if (coordinate !== null) return { label, ...trackedPackage(component, coordinate, purl) };
  if (isKnownPurlType(type)) {
    const unread = unplaced('no_package_url', name || purl);
    return { label, become: 'skipped', reason: `has a package URL that is none of the type ${type}`, unread };
  }
  const other = unmatched(component, purl);
  if (isSystemPackage(other.component)) {
    const named = registryNameOf(other.component.name);
    return { label, ...other, unread: named && { ...unplaced('system_package'), ...named } };
  }
  const unread = otherRegistries.has(type) ? null : unplaced('no_package_url', name || other.component.name);
  return { label, ...other, unread };
}

/**
 * What a component is called that is no part of the inventory, but near it: what the document describes, and what a component was made
 * from by changing it.
 */
export function namedBy(component: SbomComponent, reason: 'own' | 'replaced'): Unplaced | null {
  const read = readComponent(component);
  if (read.become !== 'package') return read.unread && { ...read.unread, reason };
  const { ecosystem, name, version } = read.package;
  return { ecosystem, name, reason, stated: onOneLine(version, maxName) };
}

type Tracked =
  Extract<ReadComponent, { readonly become: 'package' | 'skipped' }> extends infer Each
    ? Each extends unknown
      ? Omit<Each, 'label'>
      : never
    : never;

function trackedPackage(
  component: SbomComponent,
  { ecosystem, name: given, version: ofPurl }: PackageCoordinate,
  purl: string,
): Tracked {
  const name = nameOf(ecosystem, given);
  const stated = ofPurl ?? component.version;
  const version = stated === null ? null : versionOf(ecosystem, name, stated);
  const spelled = spellings(component).find((each) => isSpellingOf({ ecosystem, name }, each) && isStorableText(each));
  const unread = (reason: UnreadPart['reason'], what = version ?? ''): Unplaced => ({
    ecosystem,
    name: onOneLine(spelled ?? name, maxName) || null,
    reason,
    stated: onOneLine(what, maxName) || null,
  });
  if (version === null) return { become: 'skipped', reason: 'has no version', unread: unread('no_version') };
  if (!packageVersion.safeParse(version).success || !isVersion(ecosystem, version)) {
    const reason = `has a version that is none of ${ecosystem}: ${onOneLine(version, maxName)}`;
    return { become: 'skipped', reason, unread: unread(isRange(version) ? 'range' : 'not_a_version') };
  }
  const { scope, deprecated, licences, hashes, supplier } = component;
  const stackPackage = toStackPackage({
    ...{ ecosystem, name: spelled ?? name, version, scope, direct: null, deprecated },
    ...{ licences, hashes, supplier },
  });
  const [reason, address] = addressIn(purl) ?? [];
  // A title may have capitals that the package has not, as Express.
  const isDoubtful = spelled !== undefined && normaliseName(ecosystem, spelled) !== normaliseName(ecosystem, name);
  const doubt = isDoubtful ? unread('bad_name', purl) : null;
  return {
    become: 'package',
    key: identityOf(stackPackage),
    package: stackPackage,
    unread: reason === undefined ? doubt : unread(reason, address),
  };
}

/** As `^1.0.0`, `>=2.0`, `1.*`, `[1.0,2.0)`. */
function isRange(text: string): boolean {
  return /^[\^~<>=![(]|[*,\s|]/.test(text);
}

/** Tools write package URLs in lower case, and some old npm packages have capitals: there the component's own name counts. */
function isSpellingOf({ ecosystem, name }: Pick<PackageCoordinate, 'ecosystem' | 'name'>, spelled: string): boolean {
  if (normaliseName(ecosystem, spelled) === normaliseName(ecosystem, name)) return true;
  return ecosystem === 'npm' && spelled.toLowerCase() === name && packageName.safeParse(spelled).success;
}

/** The names that a registry may know the component by, Maven's way first. A package URL loses capitals. */
function spellings({ group, name }: SbomComponent): string[] {
  return group === null ? [name] : [`${group}:${name}`, `${group}/${name}`];
}

function unmatched(component: SbomComponent, purl: string | null) {
  const { scope, licences, hashes, supplier } = component;
  const read = purl === null ? null : readOtherPurl(purl);
  const name = onOneLine(component.name, maxName) || (read?.name ?? '');
  const version = onOneLine(component.version ?? read?.version ?? '', maxName) || null;
  const kind = knownKinds.has(component.kind) ? component.kind : 'library';
  const key = read?.purl ?? `${kind} ${name} ${version}`;
  return {
    become: 'unmatched' as const,
    key,
    component: {
      ...noFacts,
      ...{ key, kind, purl: read?.purl ?? null, name, version, scope, direct: null, licences, hashes, supplier },
      component_group: onOneLine(component.group ?? '', maxName) || null,
    },
  };
}
