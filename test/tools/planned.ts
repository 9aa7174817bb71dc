import type * as z from 'zod';
import { remediation } from '../../src/procedures/remediation.js';
import { loadGraph } from '../../src/service/remediation/kept-packages.js';
import { loadPlanPackages } from '../../src/service/remediation/load-plan.js';
import { planProject } from '../../src/service/remediation/project-plan.js';
import type { Fate } from '../../src/service/remediation/replay.js';
import type { TestService } from '../support/service.js';
import type { Edit } from './write-edits.js';

type Stack = {
  readonly key: string;
  readonly project: { readonly organisationId: string; readonly projectId: string };
};

/** One package of the plan, with all of its edits. */
export interface PlannedUpgrade {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly steps: readonly { readonly how: string; readonly jump: string }[];
}

export interface Planned {
  readonly upgrades: readonly PlannedUpgrade[];
  /** Each once, in their order. */
  readonly commands: readonly string[];
  /** What the plan says of each alert, by its id. An answer has only the sizes, so this is asked of the planner. */
  readonly fates: ReadonlyMap<string, Fate>;
  readonly proof: z.output<typeof remediation.plan.output>['proof'];
  /** The pages as they are sent. */
  readonly pages: readonly string[];
  /** Edits that the answer only counts. */
  readonly unnamed: number;
}

/** Asks for the plan of a project, page by page. */
export async function askPlan(service: TestService, { key, project }: Stack): Promise<Planned> {
  const pages: string[] = [];
  const named: z.output<typeof remediation.plan.output>['upgrades'] = [];
  const commands = new Set<string>();
  for (;;) {
    const url = `/api/projects/${project.projectId}/remediation/plan?limit=50&skip=${named.length}`;
    const { body } = await service.call(key, 'GET', url);
    const { upgrades, run, unnamed, proof } = remediation.plan.output.parse(body);
    pages.push(JSON.stringify(body));
    named.push(...upgrades);
    for (const command of run) commands.add(command);
    if (unnamed.upgrades > 0 && upgrades.length > 0) continue;
    const { upgrades: whole, fates } = await service.database.tenant(project.organisationId, async (tx) => {
      const { packages } = await loadPlanPackages({ tx, now: new Date() }, project);
      return planProject(packages, await loadGraph(tx, project));
    });
    const all = whole.map(({ closed: [worst], steps }) => ({
      name: worst.name ?? worst.package_name,
      edits: steps.flatMap(({ edits }) => edits),
      steps,
    }));
    const known = new Set(all.flatMap(({ edits }) => edits.map(wordsOf)));
    const said = named.flatMap(({ steps }) => steps.flatMap(({ edits }) => edits.map(wordsOf)));
    const strange = said.filter((words) => !known.has(words));
    if (strange.length > 0) throw new Error(`the answer has edits that the plan has not: ${strange.join(', ')}`);
    const unsaid = [...known].filter((words) => !said.includes(words));
    return { upgrades: all, commands: [...commands], fates, proof, pages, unnamed: unsaid.length };
  }
}

function wordsOf({ file, change }: Edit): string {
  return `${file} ${change}`;
}
