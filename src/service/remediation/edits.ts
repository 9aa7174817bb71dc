import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Asker } from '../db/tables/projects.js';
import { type Move, npm, partsOf, pnpm, pnpmVersion, ruleOf } from './edit-rules.js';

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
  /** The tool that writes the lock file, as `pnpm@11.21.0`; null where it is not known. */
  readonly tool: string | null;
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

/** How the place comes to the move's version. A source that is no lock file, as an SBOM, does not say which file is to be changed. */
export function wayTo(place: Place, move: Move): Way {
  const { source, ecosystem, name, version, direct, needed, tool } = place;
  const { folder, file } = partsOf(source);
  const rule = ruleOf(source, tool);
  if (rule === undefined) {
    const how = direct === null ? 'unknown' : direct ? 'direct' : 'override';
    // Only npm's archives carry others, and only its lock files say so.
    return { how, edits: [], certain: !withoutManifest.has(file) && (ecosystem !== 'npm' || !needed) };
  }
  const own = ownEdits(place, move.to);
  const change = rule.override(name, version, move);
  const override = change === null ? [] : [{ file: `${folder}${rule.overridesIn ?? rule.manifest}`, change }];
  // A pnpm of unknown version may read its overrides elsewhere.
  const isRead = rule !== pnpm || pnpmVersion(tool) !== null;
  const certain = rule.refuses !== true || !needed;
  if (direct === null) return { how: 'unknown', edits: own, certain: rule.refuses !== true };
  if (direct) {
    const overrides = needed && rule.nests ? override : [];
    return { how: 'direct', edits: [...own, ...overrides], certain: certain && (overrides.length === 0 || isRead) };
  }
  return override.length === 0 ? { how: 'parent' } : { how: 'override', edits: override, certain: certain && isRead };
}

/**
 * What each manifest that asks for the package says instead; in pnpm's catalogs the workspace file says it for all. None where it is not
 * known which file that is.
 *
 * @param to a version or a range
 */
export function ownEdits({ source, name, direct, asked_by, tool }: Place, to: string): Edit[] {
  const rule = ruleOf(source, tool);
  if (rule === undefined) return [];
  const { folder } = partsOf(source);
  const change = rule.direct(name, to);
  if (direct !== true || asked_by === null || asked_by.length === 0) {
    return [{ file: `${folder}${rule.manifest}`, change }];
  }
  return asked_by.map(({ file, range }) => {
    const [, catalog] = /^catalog:(.*)$/.exec(range ?? '') ?? [];
    if (catalog === undefined) return { file: `${folder}${file}`, change };
    const field = catalog === '' || catalog === 'default' ? 'catalog' : `catalogs.${catalog}`;
    return { file: `${folder}pnpm-workspace.yaml`, change: `${field}: ${change}` };
  });
}

/**
 * What keeps a direct dependency beside an override of the same package: npm refuses one whose range takes an overridden version.
 * Null where none is needed.
 */
export function keptBeside({ source, name, version, direct }: Place, isAbove: boolean): Edit | null {
  const rule = ruleOf(source);
  if (direct !== true || rule !== npm) return null;
  const { folder } = partsOf(source);
  return { file: `${folder}${rule.manifest}`, change: rule.direct(name, isAbove ? `^${version}` : version) };
}

/** Whether an override in the source replaces every installed version of a package. */
export function replacesAll(source: string): boolean {
  return ruleOf(source)?.replacesAll === true;
}

/** Whether npm resolves the source. */
export function isOfNpm(source: string): boolean {
  return ruleOf(source) === npm;
}
