import * as z from 'zod';
import { ecosystem } from '../shared/packages/ecosystem.js';
import { line } from './wire.js';

/**
 * Why something that a source names could not be placed as a package at one version. With `direct_only`, `no_lock_file` and `more` no name
 * is known, so that it may be any package of the ecosystem.
 */
const unreadReason = z.enum([
  'no_version',
  'range',
  'not_a_version',
  'no_package_url',
  'bad_name',
  'git',
  'url',
  'path',
  'alias',
  'property',
  'replaced',
  'missing_file',
  'file_not_read',
  'other_lock_file',
  'no_lock_file',
  'direct_only',
  'own',
  'application',
  'system_package',
  'of_runtime',
  'more',
]);
export type UnreadReason = z.output<typeof unreadReason>;

/**
 * Reasons of what is mostly no package of a registry, and is one now and then: a vendored copy among the project's own folders. It counts
 * only where an advisory names it.
 */
export const weakReasons: readonly UnreadReason[] = ['own', 'system_package'];

/** Unread parts that a source keeps one by one. What goes beyond is one part with the reason `more`. */
export const maxUnreadParts = 1_000;

/** Something that a source names and that could not be placed. It makes every "no" about what it could be unknown. */
export const unreadPart = z.strictObject({
  ecosystem: ecosystem.nullable().describe('null: may be any'),
  name: line(300).nullable().describe('null: may be any'),
  reason: unreadReason,
  stated: line(200).nullable().default(null).describe('the version, range or address'),
  at: line(200).nullable().default(null).describe('line or pointer in the source'),
});
export type UnreadPart = z.output<typeof unreadPart>;

/** The parts that a source keeps: where there are more, the last one says how many. */
export function keptUnread(
  parts: readonly UnreadPart[],
  count: number,
  ecosystem: UnreadPart['ecosystem'],
): UnreadPart[] {
  if (count <= maxUnreadParts && count === parts.length) return [...parts];
  const kept = parts.slice(0, maxUnreadParts - 1);
  return [...kept, { ecosystem, name: null, reason: 'more', stated: `${count - kept.length}`, at: null }];
}

/** Words for people, which follow the name: `django: is a range`. */
export const unreadWords: Readonly<Record<UnreadReason, string>> = {
  no_version: 'has no version',
  range: 'is a range, not one version',
  not_a_version: 'has no version that can be compared',
  no_package_url: 'has no package URL of a registry',
  bad_name: 'has no valid package name',
  git: 'comes from Git',
  url: 'comes from a URL',
  path: 'comes from a folder',
  alias: 'is an alias that leads to nothing',
  property: 'has a property that is not set in the file',
  replaced: 'is replaced by other code',
  missing_file: 'is an included file that is not there',
  file_not_read: 'is not read',
  other_lock_file: 'is in a lock file that is not taken',
  no_lock_file: 'asks for packages and has no lock file',
  direct_only: 'lists direct packages alone',
  own: 'is of the project itself',
  application: 'is an application or the like, without package URL',
  system_package: 'is a package of an operating system',
  of_runtime: 'comes with the runtime, whose version is not stated',
  more: 'names more than are kept one by one',
};
