import type * as z from 'zod';
import { remediation } from '../../src/procedures/remediation.js';
import type { Transaction } from '../../src/service/db/database.js';
import { loadReleases } from '../../src/service/registries/releases.js';
import type { Fate } from '../../src/service/remediation/fates.js';
import { runAnswer } from '../../src/service/remediation/plan-answer.js';
import { loadPlanInputs, planWithReleases } from '../../src/service/remediation/plan-with-releases.js';
import { upgradesOf } from '../../src/service/remediation/upgrades.js';
import type { TestService } from '../support/service.js';
import type { Edit } from './write-edits.js';

type Plan = z.output<typeof remediation.plan.output>;

type Stack = {
  readonly key: string;
  readonly project: { readonly organisationId: string; readonly projectId: string };
};

/** One package of the plan, with all of its edits. */
interface PlannedUpgrade {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly steps: readonly { readonly how: string; readonly jump: string }[];
}

export interface Planned {
  readonly upgrades: readonly PlannedUpgrade[];
  readonly runs: Plan['run'];
  /** Packages that are renewed with no edit. */
  readonly refreshed: number;
  /** What the plan says of each alert, by its id. An answer has only the sizes, so this is asked of the planner. */
  readonly fates: ReadonlyMap<string, Fate>;
  readonly proof: Plan['proof'];
  /** The pages as they are sent. */
  readonly pages: readonly string[];
  /** Edits that the answer only counts. */
  readonly unnamed: number;
}

/** Asks for the plan of a project, page by page. */
export async function askPlan(service: TestService, { key, project }: Stack): Promise<Planned> {
  const pages: string[] = [];
  const named: Plan['upgrades'] = [];
  for (;;) {
    const url = `/api/projects/${project.projectId}/remediation/plan?limit=50&skip=${named.length}`;
    const { body } = await service.call(key, 'GET', url);
    const { upgrades, unnamed, proof } = remediation.plan.output.parse(body);
    pages.push(JSON.stringify(body));
    named.push(...upgrades);
    if (unnamed.upgrades > 0 && upgrades.length > 0) continue;
    const step = <T>(work: (tx: Transaction) => Promise<T>) => service.database.tenant(project.organisationId, work);
    const inputs = await step((tx) => loadPlanInputs({ tx, now: new Date() }, project));
    const planned = await planWithReleases(inputs, (names) => step((tx) => loadReleases(tx, names, new Date())));
    const whole = upgradesOf(planned);
    const fates = new Map(planned.packages.flatMap((each) => [...each.fates]));
    const all = whole.upgrades.map(({ name, steps }) => ({ name, edits: steps.flatMap(({ edits }) => edits), steps }));
    const known = new Set(all.flatMap(({ edits }) => edits.map(wordsOf)));
    const said = named.flatMap(({ steps }) => steps.flatMap(({ edits }) => edits.map(wordsOf)));
    const strange = said.filter((words) => !known.has(words));
    if (strange.length > 0) throw new Error(`the answer has edits that the plan has not: ${strange.join(', ')}`);
    const unsaid = [...known].filter((words) => !said.includes(words));
    const refreshed = whole.refresh?.names.length ?? 0;
    const runs = runAnswer(planned, whole.upgrades);
    return { upgrades: all, runs, refreshed, fates, proof, pages, unnamed: unsaid.length };
  }
}

function wordsOf({ file, change }: Edit): string {
  return `${file} ${change}`;
}
