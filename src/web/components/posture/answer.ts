import { counted } from '../format/format.js';
import type { ProjectPosture } from './types.js';

interface ProjectsPage {
  readonly items: readonly ProjectPosture[];
  readonly has_more: boolean;
}

/** Days after which a scan is named as old. */
const oldDays = 7;
const dayMs = 86_400_000;

/**
 * The posture in one sentence that can be read aloud: "9 red in 4 projects, 2 known exploited; images of Web shop were last
 * scanned 12 days ago". Null without a project. Of very many projects it speaks of the worst.
 */
export function postureAnswer({ items, has_more }: ProjectsPage, now: Date): string | null {
  const [first] = items;
  if (first === undefined) return null;
  const where = has_more ? `the ${items.length} worst projects` : placeOf(items);
  const parts = [openIn(items, where, has_more), stalest(items, now) ?? unseen(items)];
  return `${parts.filter((part) => part !== null).join('; ')}.`;
}

function openIn(items: readonly ProjectPosture[], where: string, isCut: boolean): string {
  const red = items.filter((each) => tierOf(each, 'red') > 0);
  const exploited = items.reduce((sum, each) => sum + each.known_exploited, 0);
  const known = exploited === 0 ? 'none known to be exploited' : `${exploited} known exploited`;
  if (red.length > 0) {
    const total = red.reduce((sum, each) => sum + tierOf(each, 'red'), 0);
    return `${total} red in ${isCut ? where : placeOf(red)}, ${known}`;
  }
  const yellow = items.reduce((sum, each) => sum + tierOf(each, 'yellow'), 0);
  if (!items.some(wasLookedAt)) return `Nothing is known of ${where}: there are no packages and no scans yet`;
  return `Nothing red was found in ${where}${yellow === 0 ? '' : `, ${yellow} yellow`}, ${known}`;
}

function placeOf(items: readonly ProjectPosture[]): string {
  const [first] = items;
  return items.length === 1 && first !== undefined ? first.name : counted(items.length, 'project');
}

function tierOf({ open }: ProjectPosture, tier: 'red' | 'yellow'): number {
  return Object.values(open).reduce((sum, counts) => sum + counts[tier], 0);
}

export function wasLookedAt({ packages, stack_changed_at, scanned_at }: ProjectPosture): boolean {
  return packages > 0 || stack_changed_at !== null || Object.values(scanned_at).some((at) => at !== null);
}

const scanned = {
  code: (name: string) => `the code of ${name} was`,
  running_app: (name: string) => `the running app of ${name} was`,
  containers: (name: string) => `images of ${name} were`,
} as const;

/** The scan that is the oldest of the last ones, where it is old. */
function stalest(items: readonly ProjectPosture[], now: Date): string | null {
  const scans = items.flatMap(({ name, scanned_at }) => [
    { text: scanned.code(name), at: scanned_at.code },
    { text: scanned.running_app(name), at: scanned_at.running_app },
    { text: scanned.containers(name), at: scanned_at.containers },
  ]);
  const dated = scans.flatMap(({ text, at }) => (at === null ? [] : [{ text, at }]));
  const oldest = dated.toSorted((a, b) => a.at.getTime() - b.at.getTime())[0];
  if (oldest === undefined) return null;
  const days = Math.floor((now.getTime() - oldest.at.getTime()) / dayMs);
  return days <= oldDays ? null : `${oldest.text} last scanned ${days} days ago`;
}

/** Projects of which nothing is known, where others are. */
function unseen(items: readonly ProjectPosture[]): string | null {
  const unknown = items.filter((each) => !wasLookedAt(each));
  if (unknown.length === 0 || unknown.length === items.length) return null;
  return `nothing is known of ${placeOf(unknown)} yet`;
}
