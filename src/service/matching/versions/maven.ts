import { compareText } from '../../../shared/text/compare-text.js';
import { compareNumbers, maxVersionLength, type Ordering, toNumber, type VersionNumber } from './ordering.js';

/** A number, a qualifier (aliases resolved, '' for a release) or a sub-list opened by a hyphen or a transition. */
type Item = VersionNumber | string | Item[];

/** Qualifiers older than a release in their order, then the release itself, then the service pack. */
const qualifiers = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const release = qualifiers.indexOf('');

const aliases = new Map([
  ['ga', ''],
  ['final', ''],
  ['release', ''],
  ['cr', 'rc'],
]);

/** `a1`, `b1` and `m1` are alpha-1, beta-1 and milestone-1. Without a digit after them the letters are qualifiers. */
const shorthands = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['m', 'milestone'],
]);

/** A text that sorts qualifiers: known ones by their place in the list, then unknown ones alphabetically. */
function qualifierKey(qualifier: string): string {
  const place = qualifiers.indexOf(qualifier);
  return place < 0 ? `${qualifiers.length}-${qualifier}` : String(place);
}

function toItem(text: string, isNumber: boolean): Item {
  return isNumber ? toNumber(text) : (aliases.get(text) ?? text);
}

/** Items that trimming removes: 0, a release qualifier, an empty list. */
function isNull(item: Item): boolean {
  if (typeof item === 'string') return item === '';
  return Array.isArray(item) ? item.length === 0 : compareNumbers(item, 0) === 0;
}

/** Removes nulls from the end, also in front of lists that stay: 1.0.0 becomes 1, and 1.0-rc becomes 1-rc. */
function trim(list: Item[]): void {
  for (let i = list.length - 1; i >= 0; i--) {
    const item = list[i] ?? 0;
    if (isNull(item)) list.splice(i, 1);
    else if (!Array.isArray(item)) return;
  }
}

function parseItems(text: string): Item[] {
  let list: Item[] = [];
  const lists = [list];
  const open = () => {
    const inner: Item[] = [];
    list.push(inner);
    lists.push(inner);
    list = inner;
  };
  let start = 0;
  let inNumber = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '.' || character === '-') {
      list.push(i === start ? 0 : toItem(text.slice(start, i), inNumber));
      start = i + 1;
      if (character === '-') open();
    } else if (character >= '0' && character <= '9') {
      if (!inNumber && i > start) {
        // A qualifier after a dot counts as one after a hyphen: 1.0.0.RC1 is 1.0.0-RC1.
        if (list.length > 0) open();
        const word = text.slice(start, i);
        list.push(toItem(shorthands.get(word) ?? word, false));
        start = i;
        open();
      }
      inNumber = true;
    } else {
      if (inNumber && i > start) {
        list.push(toItem(text.slice(start, i), true));
        start = i;
        open();
      }
      inNumber = false;
    }
  }
  if (text.length > start) {
    if (!inNumber && list.length > 0) open();
    list.push(toItem(text.slice(start), inNumber));
  }
  for (const each of lists.toReversed()) trim(each);
  return lists[0] ?? [];
}

/** Compares an item with the end of the other version: 1-rc < 1 = 1-ga < 1-sp < 1.1. */
function compareToEnd(item: Item): number {
  if (typeof item === 'string') return compareText(qualifierKey(item), String(release));
  if (!Array.isArray(item)) return compareNumbers(item, 0);
  for (const each of item) {
    const order = compareToEnd(each);
    if (order !== 0) return order;
  }
  return 0;
}

/** The order of kinds: a qualifier is below a list, and a list below a number (1-sp < 1-1 < 1.1). */
function kindRank(item: Item): number {
  if (typeof item === 'string') return 0;
  return Array.isArray(item) ? 1 : 2;
}

function compareItems(a: Item, b: Item): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(qualifierKey(a), qualifierKey(b));
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (typeof a !== 'object' && typeof b !== 'object' && typeof a !== 'string' && typeof b !== 'string') {
    return compareNumbers(a, b);
  }
  return kindRank(a) - kindRank(b);
}

function compareLists(a: readonly Item[], b: readonly Item[]): number {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a[i];
    const right = b[i];
    const order =
      left === undefined
        ? right === undefined
          ? 0
          : -compareToEnd(right)
        : right === undefined
          ? compareToEnd(left)
          : compareItems(left, right);
    if (order !== 0) return order;
  }
  return 0;
}

function hasEarlyQualifier(item: Item): boolean {
  if (typeof item === 'string') return qualifiers.slice(0, release).includes(item);
  return Array.isArray(item) && item.some(hasEarlyQualifier);
}

/** Maven reads any text as a version, except one with spaces, the signs of version ranges or a property that is not set. */
const shape = /^[^\s,[\](){}$@]+$/;

/** What a tool resolves to a version, or writes where it has none: Maven's metaversions, and Gradle's dynamic versions. */
const unresolved = /^(?:latest|release|latest\..*|unspecified|undefined|unknown|.*\+)$/i;

/**
 * Maven: `ComparableVersion` of Maven 3.9 (https://maven.apache.org/pom.html#Version_Order_Specification,
 * org.apache.maven.artifact.versioning.ComparableVersion in maven-artifact 3.9).
 */
export const maven: Ordering<readonly Item[]> = {
  parse(text) {
    const trimmed = text.trim();
    if (trimmed.length > maxVersionLength || !shape.test(trimmed) || unresolved.test(trimmed)) return null;
    return parseItems(trimmed.toLowerCase());
  },
  compare: compareLists,
  isPrerelease: (items) => items.some(hasEarlyQualifier),
};
