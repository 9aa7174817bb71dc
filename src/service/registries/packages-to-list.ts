import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { packageKey } from '../../shared/packages/package-name.js';
import type { Transaction } from '../db/database.js';
import { inScope } from '../db/scope.js';
import type { ProjectKey } from '../projects/find-project.js';
import { ancestorsOf, keyOf, type StackNode } from './ancestors.js';
import { publicNames } from './public-names.js';
import { type NamedKey, type Wanted, withoutList } from './version-lists.js';

/** The ecosystems whose lists say what each release needs. */
const releaseEcosystems: readonly Ecosystem[] = ['npm', 'crates.io', 'Packagist'];

/** Packages of one project that registries are asked for, at most. */
const maxPackages = 1_000;

/** Packages of graphs that are read for it. Of larger projects only the packages of alerts are asked for. */
const maxNodes = 20_000;

/** Runs one short transaction of a project's organisation. */
type Step = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** Answers which packages the project's plan of fixes brings in, as far as it is not known what they need. */
export type BroughtIn = (step: Step, project: ProjectKey) => Promise<readonly NamedKey[]>;

interface Alerted extends NamedKey {
  readonly versions: readonly string[];
}

/**
 * Packages whose list is not known or a day old: those that unresolved alerts of the project are about, then what brings them in, the
 * nearest first, since a newer release of that may bring the fix, then what a plan of fixes brings in besides.
 *
 * @param step runs one short transaction of the project's organisation
 * @param mirrored ecosystems whose registry the operator has named: it may see every name
 */
export async function packagesToList(
  step: Step,
  project: ProjectKey,
  mirrored: ReadonlySet<Ecosystem>,
  broughtIn: BroughtIn,
): Promise<Wanted> {
  const { alerted, nodes } = await step(async (tx) => {
    const packages = await loadAlerted(tx, project);
    const isInGraph = packages.some(({ ecosystem }) => releaseEcosystems.includes(ecosystem));
    return { alerted: packages, nodes: isInGraph ? await loadNodes(tx, project) : [] };
  });
  if (alerted.length === 0) return { unknown: [], failed: 0 };
  const affected = new Set(alerted.flatMap((each) => each.versions.map((version) => keyOf({ ...each, version }))));
  const above = await ancestorsOf(nodes, affected);
  const packages = await step(async (tx) => distinct([...alerted, ...(await publicNames(tx, above, nodes, mirrored))]));
  const wanted = await step((tx) => withoutList(tx, packages, new Date()));
  // A plan that is made before all of them are known brings in others.
  if (wanted.unknown.length > 0 || nodes.length === 0) return wanted;
  const all = distinct([...packages, ...(await broughtIn(step, project))]);
  return step((tx) => withoutList(tx, all, new Date()));
}

function distinct(packages: readonly NamedKey[]): NamedKey[] {
  const known = new Map(
    packages.map(({ ecosystem, package_name, name }) => {
      const key = { ecosystem, package_name, name };
      return [packageKey(key), key] as const;
    }),
  );
  return [...known.values()].slice(0, maxPackages);
}

/** Those with the worst alerts first. */
async function loadAlerted(tx: Transaction, project: ProjectKey): Promise<readonly Alerted[]> {
  const { rows } = await sql<Alerted>`
    select ecosystem, package_name, min(coalesce(name, package_name) collate "C") as name,
      array_agg(distinct version) as versions
    from alerts cross join lateral unnest(versions) as version
    where ${inScope(project)} and resolved_at is null
    group by ecosystem, package_name
    order by max(coalesce(effective_priority, 0)) desc, ecosystem, package_name
    limit ${maxPackages}`.execute(tx);
  return rows;
}

/** The project's packages in ecosystems whose lists say what releases need; none where they are too many. */
async function loadNodes(tx: Transaction, project: ProjectKey): Promise<readonly StackNode[]> {
  const { rows } = await sql<StackNode>`
    select source, ecosystem, package_name, name, version, array_to_string(dependencies, E'\\n') as dependencies
    from tech_stack_items
    where ${inScope(project)} and ecosystem = any (${[...releaseEcosystems]}::text[])
    limit ${maxNodes + 1}`.execute(tx);
  return rows.length > maxNodes ? [] : rows;
}
