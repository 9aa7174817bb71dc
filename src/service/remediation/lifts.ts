import type { SafeVersionStatus } from '../../procedures/vulnerability.js';
import type { Target } from './affected-packages.js';
import { npm, ruleOf } from './edit-rules.js';
import { isAliased, ownEdits } from './edits.js';
import type { Graph, Installed } from './graph.js';
import { jumpOf } from './jump.js';
import type { EditedStep } from './planned-step.js';
import { peersOf, type Resolver } from './resolver.js';
import type { Lift } from './ways.js';

/** A version of a direct dependency that brings all that is wanted of it. */
interface Lifted {
  readonly to: string;
  readonly status: SafeVersionStatus;
}

/** The demands of several packages on one direct dependency. */
export interface Demand {
  readonly node: Installed;
  readonly isGood: Lift['isGood'];
  /** The target of the dependency's own alerts; null if it has none. */
  readonly target: Target | null;
  /** The plan overrides it for others: npm refuses a range of the project's own that takes an overridden version. */
  readonly isOverridden: boolean;
}

/** The lifts of all packages, each direct dependency once. */
export function demandsOf(
  lifts: Iterable<Lift>,
  factsOf: (node: Installed) => Pick<Demand, 'target' | 'isOverridden'>,
): Demand[] {
  const goods = new Map<Installed, Lift['isGood'][]>();
  for (const { node, isGood } of lifts) goods.set(node, [...(goods.get(node) ?? []), isGood]);
  return [...goods].map(([node, all]) => ({
    node,
    isGood: (version) => all.every((isGood) => isGood(version)),
    ...factsOf(node),
  }));
}

/**
 * The change of a direct dependency: to the smallest version that brings all that is wanted, of the same major where there is one. Null
 * where none is known.
 */
export function liftStep(graph: Graph, resolver: Resolver, demand: Demand): EditedStep | null {
  const { node, isGood, target, isOverridden } = demand;
  if (isAliased(node)) return null;
  const lifted = smallest(resolver, node, isGood) ?? proposed(target, isGood);
  if (lifted === null) return null;
  const { to, status } = lifted;
  const asked = node.asked_by?.map(({ range }) => range) ?? [];
  const ranges = asked.length === 0 ? [to] : asked.map((range) => styled(range, to));
  const isOne = ranges.every((each) => each === ranges[0]);
  const range = isOne && !isOverridden && takesGood(resolver, node, ranges[0] ?? to, isGood);
  const text = range ? (ranges[0] ?? to) : to;
  const versions = range ? (resolver.choose(node, text)?.versions ?? [to]) : [to];
  const needed = graph.dependents.has(node.place);
  const place = { ...node, needed, bundled_in: null };
  return {
    from: node.version,
    to,
    status,
    jump: jumpOf(node.version, to),
    how: 'direct',
    all_versions: false,
    edits: ownEdits(place, text),
    overrides: new Map(),
    own: new Map([[node.place, { versions, certain: status === 'published' }]]),
  };
}

function smallest(resolver: Resolver, node: Installed, isGood: Lift['isGood']): Lifted | null {
  const versions = resolver.above(node, node.version);
  const isMinor = (version: string) => ['minor', 'patch'].includes(jumpOf(node.version, version));
  const to = versions.find((version) => isMinor(version) && isGood(version)) ?? versions.find(isGood);
  return to === undefined ? null : { to, status: 'published' };
}

/** The version that advisories name as fixed: it is taken if the registry was not asked. */
function proposed(target: Target | null, isGood: Lift['isGood']): Lifted | null {
  if (target === null || target.to === null || target.status === null || !isGood(target.to)) return null;
  return { to: target.to, status: target.status };
}

/**
 * npm resolves the peers of a dependency that it is to change anew, where the manifest that asks for it does not ask for them, too. It
 * refuses all edits if these do not fit the rest.
 */
export function isRefusable(graph: Graph, resolver: Resolver, node: Installed): boolean {
  if (ruleOf(node.source) !== npm) return false;
  const askers = (peer: Installed) => new Set(peer.asked_by?.map(({ file }) => file));
  return peersOf(graph, resolver, node).some((peer) => {
    const known = askers(peer);
    return !known.has('package.json') && [...askers(node)].some((file) => !known.has(file));
  });
}

/** The version in the style of the range before: a caret stays a caret. */
function styled(range: string | null, to: string): string {
  const [operator = ''] = /^[\^~](?=\d[^\s|]*$)/.exec(range ?? '') ?? [];
  return `${operator}${to}`;
}

function takesGood(resolver: Resolver, node: Installed, range: string, isGood: Lift['isGood']): boolean {
  const choice = resolver.choose(node, range);
  return choice?.certain === true && choice.versions.every(isGood);
}
