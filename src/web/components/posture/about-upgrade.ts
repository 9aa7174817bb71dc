import { count, counted } from '../format/format.js';
import { packageText } from './package-text.js';
import type { TopRisk } from './types.js';

export type UpgradeFacts = Pick<
  NonNullable<TopRisk['fix']>,
  'package' | 'steps' | 'more' | 'scope' | 'closes' | 'leaves'
>;

/** What follows the targets of an upgrade: where it is made, what it closes, and what it does not. */
export function aboutUpgrade({ steps, more, scope, closes, leaves }: UpgradeFacts): string {
  const unknown = steps.flatMap(({ from, to }) => (to === null ? [from] : []));
  const unverified = steps.some(({ status }) => status === 'unverified');
  const bringers = steps.flatMap(({ direct }) => (direct === null || direct === 'itself' ? [] : [packageText(direct)]));
  return [
    more > 0 && `${count(more)} more versions`,
    unknown.length > 0 && `none is known for ${unknown.join(' and ')}`,
    unverified && 'if it was published',
    // Only of an image nobody looks whether a version was published.
    steps.some(({ to, status }) => to !== null && status === null) && 'which its scanners name as fixed',
    scope === 'base_image' && 'in the base image',
    bringers.length > 0 && `brought by ${[...new Set(bringers)].join(' and ')}`,
    closes > 1 && `closes ${counted(closes, 'finding')}`,
    leaves > 0 && `leaves ${count(leaves)} open`,
  ]
    .flatMap((part) => (part === false ? [] : [`, ${part}`]))
    .join('');
}
