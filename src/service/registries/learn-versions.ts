import { type Repeated, repeat } from '../jobs/repeat.js';
import type { RegistryLookup } from './registry-lookup.js';
import { packagesToList } from './version-lists.js';

/** Milliseconds between two looks at the alerts. */
const everyMs = 60_000;

/** Asks the registries which versions there are of the packages that alerts propose a version of. */
export function startLearningVersions(lookup: RegistryLookup, onError: (error: unknown) => void): Repeated {
  return repeat(everyMs, (stopping) => learnVersions(lookup, stopping), onError);
}

export async function learnVersions(lookup: RegistryLookup, stopping?: AbortSignal): Promise<void> {
  await lookup.learnVersions((tx) => packagesToList(tx, new Date()), stopping);
}
