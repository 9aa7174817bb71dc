import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import type { Database, Transaction } from '../db/database.js';
import { type Job, type JobRun, withoutRunner } from '../jobs/job.js';
import { type DueProject, dueProjects, postpone } from './due-projects.js';
import { type BroughtIn, packagesToList } from './packages-to-list.js';
import type { RegistryLookup } from './registry-lookup.js';
import { maxAgeMs, type NamedKey } from './version-lists.js';

/** Milliseconds between two looks at the projects that are due. */
const everyMs = 5_000;

/** Packages that one project's turn asks for, at most. */
const maxPerTurn = 200;

/** Lists of versions can be large: so few are read at once. */
const listsAtOnce = 4;

/** After so many failures in a row a registry is left alone for ten minutes. */
const failuresInARow = 8;
const pauseMs = 10 * 60 * 1000;

/**
 * Asks registries which releases there are of the packages that alerts are about and of what brings them in: soon after a project's stack
 * or alerts have changed, and daily.
 */
export function learnVersionsJob(database: Database, lookup: RegistryLookup, broughtIn: BroughtIn): Job {
  const pauses: Pauses = new Map();
  return {
    ...{ name: 'registry-versions', everyMs, shared: 'one_instance' },
    failure: 'registries could not be asked for versions',
    run: (run) => learnVersions(database, lookup, broughtIn, pauses, run),
  };
}

/** Registries that do not answer, and until when they are left alone. */
type Pauses = Map<Ecosystem, number>;

/** The projects that are due take turns until none is. */
export async function learnVersions(
  database: Database,
  lookup: RegistryLookup,
  broughtIn: BroughtIn,
  pauses: Pauses = new Map(),
  { stopping, done }: JobRun = withoutRunner,
): Promise<void> {
  for (;;) {
    const projects = await database.system((tx) => dueProjects(tx, new Date()));
    if (projects.length === 0) return;
    for (const project of projects) {
      if (stopping.aborted) return;
      await takeTurn(database, lookup, broughtIn, project, pauses, stopping);
      done(1);
    }
  }
}

async function takeTurn(
  database: Database,
  lookup: RegistryLookup,
  broughtIn: BroughtIn,
  project: DueProject,
  pauses: Pauses,
  stopping: AbortSignal,
): Promise<void> {
  const step = <T>(work: (tx: Transaction) => Promise<T>) => database.tenant(project.organisationId, work);
  const { unknown, failed } = await packagesToList(step, project, lookup.mirrored, broughtIn);
  const isPaused = ({ ecosystem }: NamedKey) => (pauses.get(ecosystem) ?? 0) > Date.now();
  const askable = unknown.filter((named) => !isPaused(named)).slice(0, maxPerTurn);
  if (askable.length > 0) {
    // What is answered may show more names to be public, so that the project is looked at again.
    await listAll(lookup, askable, pauses, stopping);
    return;
  }
  const ms = unknown.length > 0 ? pauseMs : failed > 0 ? maxAgeMs.failed : maxAgeMs.asked;
  await step((tx) => postpone(tx, project, new Date(Date.now() + ms)));
}

/** Asks for each, a few at once, until a registry fails too often. */
async function listAll(
  lookup: RegistryLookup,
  packages: readonly NamedKey[],
  pauses: Pauses,
  stopping: AbortSignal,
): Promise<void> {
  const waiting = packages.values();
  const failures = new Map<Ecosystem, number>();
  const askInTurn = async () => {
    for (const named of waiting) {
      const { ecosystem } = named;
      if (stopping.aborted) return;
      if ((failures.get(ecosystem) ?? 0) >= failuresInARow) continue;
      const isListed = await lookup.list(named, stopping);
      const count = isListed ? 0 : (failures.get(ecosystem) ?? 0) + 1;
      failures.set(ecosystem, count);
      if (count >= failuresInARow) pauses.set(ecosystem, Date.now() + pauseMs);
    }
  };
  await Promise.all(Array.from({ length: listsAtOnce }, askInTurn));
}
