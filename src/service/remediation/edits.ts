import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { isPackageName, isVersion, isVersionRange } from '../../shared/text/grammars.js';
import type { Asker } from '../db/tables/projects.js';
import { type Asking, type Move, npm, partsOf, pnpm, type Rule, ruleOf } from './edit-rules.js';
import { versionOf } from './tool-version.js';

/** One version of a package in one source of a stack. */
export interface Place {
  readonly source: string;
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
  /** As the source spells it. */
  readonly name: string;
  readonly version: string;
  readonly direct: boolean | null;
  /** Another package of the source needs it. */
  readonly needed: boolean;
  /** Keys of what carries a copy in its archive, where an override cannot reach it. */
  readonly bundled_in: readonly string[] | null;
  /** The manifests that ask for it, relative to the lock file; null where the source does not say. */
  readonly asked_by: readonly Asker[] | null;
  /** Overrides that the project has for the package already. */
  readonly overridden_by?: readonly Overrider[];
  /** The tool that writes the lock file, as `pnpm@11.21.0`; null where it is not known. */
  readonly tool: string | null;
}

export interface Overrider {
  /** Relative to the lock file. */
  readonly file: string;
  /** Its text before the version, as `resolutions: "qs"`. */
  readonly override: string;
  /** Null where the source does not say it. */
  readonly range: string | null;
}

/** The manifests that a stack keeps as two lists: those that ask for a package, and those that override it. */
export function askersOf(kept: readonly Asker[] | null): Pick<Place, 'asked_by' | 'overridden_by'> {
  const asked_by = kept?.filter(({ override }) => override === undefined) ?? [];
  const overridden_by =
    kept?.flatMap(({ file, range, override }) => (override === undefined ? [] : [{ file, range, override }])) ?? [];
  return {
    asked_by: asked_by.length === 0 ? null : asked_by,
    ...(overridden_by.length > 0 && { overridden_by }),
  };
}

export interface Edit {
  readonly file: string;
  readonly change: string;
}

/** How a place comes to another version. `parent`: only a newer version of what brings it in can do it. */
export type Way =
  | {
      readonly how: 'direct' | 'override' | 'unknown';
      readonly edits: readonly Edit[];
      /** The tool takes exactly this version. Where not, ranges of others can forbid it. */
      readonly certain: boolean;
    }
  | { readonly how: 'parent' };

/** Lock files that several tools write, so that it is not known which file is to be changed. */
export const withoutManifest: ReadonlySet<string> = new Set(['pylock.toml']);

/**
 * How the place comes to the move's version. A source that is no lock file, as an SBOM, does not say which file is to be changed.
 *
 * @param askings what is known of the packages of the source that ask for this one, in any version
 */
export function wayTo(place: Place, move: Move, askings: readonly Asking[] = []): Way {
  const { source, ecosystem, direct, needed, tool } = place;
  const rule = ruleOf(source, tool);
  if (!isWritable(place, move.to, askings)) return { how: 'unknown', edits: [], certain: false };
  if (rule === undefined) {
    const how = direct === null ? 'unknown' : direct ? 'direct' : 'override';
    // Only npm's archives carry others, and only its lock files say so.
    const certain = !withoutManifest.has(partsOf(source).file) && (ecosystem !== 'npm' || !needed);
    return { how, edits: [], certain };
  }
  const own = ownEdits(place, move.to);
  if (place.overridden_by !== undefined) {
    const { folder } = partsOf(source);
    const changed = place.overridden_by.filter(isPlain).map((each) => ({
      file: `${folder}${each.file}`,
      change: `${each.override}: "${move.to}"`,
    }));
    const edits = direct === true ? [...own, ...changed] : changed;
    const certain = place.overridden_by.every((each) => isPlain(each) && reachesAll(each, place)) && !isAliased(place);
    return { how: edits.length === 0 ? 'unknown' : 'override', edits, certain };
  }
  const override = overrideEdits(place, rule, move, askings);
  // A pnpm of unknown version may read its overrides elsewhere.
  const isRead = !isAliased(place) && (override.length === 0 || rule !== pnpm || versionOf(tool) !== null);
  const certain = !isAliased(place) && (rule.refuses !== true || !needed);
  if (direct === null && rule.nests !== undefined) {
    // Whoever asks, an override reaches it. Beside one with a range, npm wants the project to ask for the same version itself.
    const edits = rule.nests.limit === 'versions' ? [...own, ...override] : override;
    return { how: 'unknown', edits, certain: isRead };
  }
  if (direct === null) return { how: 'unknown', edits: own, certain: rule.refuses !== true };
  if (!direct)
    return override.length === 0 ? { how: 'parent' } : { how: 'override', edits: override, certain: certain && isRead };
  if (!needed || rule.nests === undefined) return { how: 'direct', edits: own, certain };
  return { how: 'direct', edits: [...own, ...override], certain: isRead };
}

/** Whether names and versions are such: a quote in one would end the text that it is written into. */
function isWritable({ name, version }: Place, to: string, askings: readonly Asking[] = []): boolean {
  return (
    isPackageName(name) &&
    isVersion(version) &&
    isVersionRange(to) &&
    askings.every((each) => isPackageName(each.name) && (each.range === null || isVersionRange(each.range)))
  );
}

/** Limited to the place's version where the tool can do that. */
function overrideEdits(place: Place, rule: Rule, move: Move, askings: readonly Asking[]): Edit[] {
  const { source, name, version } = place;
  const file = `${partsOf(source).folder}${rule.overridesIn ?? rule.manifest}`;
  const own = isLimited(place, askings) ? askings.filter(({ gets }) => gets === version) : [];
  return rule.override(name, version, move, own).map((change) => ({ file, change }));
}

/**
 * Whether an override can leave the other versions of the package in the source as they are.
 *
 * @param askings what is known of the packages of the source that ask for this one, in any version
 */
export function isLimited(place: Place, askings: readonly Asking[]): boolean {
  const { source, version, direct, needed, tool, overridden_by } = place;
  if (overridden_by !== undefined) return false;
  if (direct === true && !needed) return true;
  const { limit = 'versions' } = ruleOf(source, tool)?.nests ?? {};
  const own = askings.filter(({ gets }) => gets === version);
  if (limit === 'ranges') return own.length > 0 && own.every(({ range }) => range !== null);
  if (limit !== 'askers') return limit !== null;
  // Packages of one name can ask for several versions. No key reaches what a workspace itself asks for, and nothing else.
  const names = new Set(own.map(({ name }) => name));
  return direct !== null && names.size > 0 && askings.every(({ name, gets }) => gets === version || !names.has(name));
}

/** Whether an override says a version or a range, which another one can replace: a patch, a fork or a folder would be lost. */
function isPlain({ range }: Overrider): boolean {
  return range === null || !/[:$]/.test(range);
}

/** Whether an override replaces the package whoever asks for it, and whichever version. */
function reachesAll({ override }: Overrider, { name }: Place): boolean {
  return ['overrides', 'pnpm.overrides', 'resolutions'].some((field) => override === `${field}: "${name}"`);
}

function isAlias(range: string | null): boolean {
  return range?.startsWith('npm:') === true;
}

/** Whether a manifest asks for the package by another name, which is not known here. */
export function isAliased({ asked_by }: Pick<Place, 'asked_by'>): boolean {
  return asked_by?.some(({ range }) => isAlias(range)) === true;
}

/** The file that has the ranges of a workspace's catalogs (https://pnpm.io/catalogs, https://bun.com/docs/pm/catalogs). */
function catalogsOf(lockfile: string): string {
  if (lockfile === 'bun.lock') return 'package.json';
  return lockfile === 'yarn.lock' ? '.yarnrc.yml' : 'pnpm-workspace.yaml';
}

/**
 * What each manifest that asks for the package says instead; where it asks for a catalog's range, that catalog says it for all. None where
 * it is not known which file that is, or under which name.
 *
 * @param to a version or a range
 */
export function ownEdits(place: Place, to: string): Edit[] {
  const { source, name, direct, asked_by, tool } = place;
  const rule = ruleOf(source, tool);
  if (rule === undefined || !isWritable(place, to)) return [];
  const { folder, file: lockfile } = partsOf(source);
  const change = rule.direct(name, to);
  if (direct !== true || asked_by === null || asked_by.length === 0) {
    return [{ file: `${folder}${rule.manifest}`, change }];
  }
  return asked_by.flatMap(({ file, range }) => {
    if (isAlias(range)) return [];
    const [, catalog] = /^catalog:(.*)$/.exec(range ?? '') ?? [];
    if (catalog === undefined) return { file: `${folder}${file}`, change };
    const field = catalog === '' || catalog === 'default' ? 'catalog' : `catalogs.${catalog}`;
    return { file: `${folder}${catalogsOf(lockfile)}`, change: `${field}: ${change}` };
  });
}

/**
 * What keeps a direct dependency beside an override of the same package: npm refuses one whose range takes an overridden version.
 * Null where none is needed.
 */
export function keptBeside(place: Place, isAbove: boolean): Edit | null {
  const { source, name, version, direct } = place;
  const rule = ruleOf(source);
  if (direct !== true || rule !== npm || isAliased(place) || place.overridden_by !== undefined) return null;
  const { folder } = partsOf(source);
  return { file: `${folder}${rule.manifest}`, change: rule.direct(name, isAbove ? `^${version}` : version) };
}
