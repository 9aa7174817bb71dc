import { yieldToEventLoop } from '../../shared/async/yield-to-event-loop.js';
import { packageKey } from '../../shared/packages/package-name.js';
import { type PackageClaim, packageClaims } from './package-claim.js';
import type { NamedThing, VexDocument, VexStatement } from './statement.js';

/** A product or component with what it is compared by. */
interface PreparedThing {
  readonly label: string;
  readonly claims: readonly PackageClaim[];
  /** What the document calls it, in lower case; those in its package URLs apart. */
  readonly names: readonly string[];
  readonly purlNames: readonly string[];
}

/** A statement with what it is compared by. */
export interface PreparedRow {
  readonly statement: VexStatement;
  /** The vulnerability's ids in lower case. */
  readonly ids: readonly string[];
  readonly product: PreparedThing;
  readonly component: PreparedThing | null;
}

/** A project as documents may name it, in lower case. */
export interface ProjectNames {
  /** The uploader's word for it, and ids that only this project has. */
  readonly certain: ReadonlySet<string>;
  /** Names that a package may have too. */
  readonly likely: ReadonlySet<string>;
  /** `packageKey`s of the packages that the project has alerts on. */
  readonly packages: ReadonlySet<string>;
}

/** What a statement is of in a project: all of it, or packages. */
type Target = 'project' | readonly PackageClaim[];

/** A statement with what it is of in the project. */
export interface TargetedRow extends PreparedRow {
  readonly target: Target;
}

/** The statements of a document, ready to be matched in a transaction. */
export async function prepareRows({ rows }: VexDocument): Promise<PreparedRow[]> {
  const yieldNow = yieldToEventLoop();
  const things = new Map<NamedThing, PreparedThing>();
  const prepare = (thing: NamedThing): PreparedThing => {
    const known = things.get(thing) ?? prepareThing(thing);
    things.set(thing, known);
    return known;
  };
  const prepared: PreparedRow[] = [];
  for (const statement of rows) {
    if (statement.kind !== 'statement') continue;
    const { product, component, ids } = statement;
    prepared.push({
      statement,
      ids: ids.map((id) => id.toLowerCase()),
      product: prepare(product),
      component: component && prepare(component),
    });
    await yieldNow();
  }
  return prepared;
}

function prepareThing(thing: NamedThing): PreparedThing {
  return {
    label: thing.label,
    claims: packageClaims(thing),
    names: thing.names.map((name) => name.toLowerCase()),
    purlNames: thing.purls.flatMap(namesIn),
  };
}

/** The names in a package URL of any type: `shop`, `acme/shop` and `github.com/acme/shop` of `pkg:github/acme/shop@1.0`. */
function namesIn(purl: string): string[] {
  const [, type = '', path = ''] = /^pkg:\/*([^/]+)\/([^?#]*)/i.exec(purl.toLowerCase()) ?? [];
  const at = path.indexOf('@', path.lastIndexOf('/') + 2);
  const name = (at === -1 ? path : path.slice(0, at)).replaceAll('%40', '@');
  return [name, name.slice(name.lastIndexOf('/') + 1), `${type}.com/${name}`, `${type}.org/${name}`];
}

interface Refusal {
  readonly refusal: string;
}

/** What the statement is of in the project, or why it is of nothing there. */
export function targetOf({ product, component }: PreparedRow, project: ProjectNames): Target | Refusal {
  const isProject = isNamed(product, project);
  if (component !== null && !isProject) {
    return {
      refusal: `is of a part of ${product.label}: if that is this project, upload with product set to this name`,
    };
  }
  if (component === null && isProject) return 'project';
  const { claims } = component ?? product;
  return claims.length > 0 ? claims : { refusal: 'names no package of a known ecosystem, and not this project' };
}

/** A name that the project shares with one of its vulnerable packages means the package. */
function isNamed({ claims, names, purlNames }: PreparedThing, { certain, likely, packages }: ProjectNames): boolean {
  if (names.some((name) => certain.has(name))) return true;
  if (claims.some((claim) => packages.has(packageKey(claim)))) return false;
  return names.some((name) => likely.has(name)) || purlNames.some((name) => likely.has(name));
}
