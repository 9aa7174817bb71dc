import { cpSync } from 'node:fs';
import path from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { sync } from '../../src/reach/sync/sync.js';
import { learnVersions } from '../../src/service/registries/learn-versions.js';
import type { RegistryLookup } from '../../src/service/registries/registry-lookup.js';
import { broughtIn } from '../../src/service/remediation/plan-with-releases.js';
import { newStack } from '../service/alerts/stack.js';
import type { TestService } from '../support/service.js';
import { type Manager, managers, run } from './package-managers.js';
import { askPlan, type Planned } from './planned.js';
import { openProject, type Project } from './projects.js';
import { filesIn, restore } from './snapshot.js';
import { deleteEntries, writeEdits } from './write-edits.js';

/** Words of the managers that a plan has led to nothing, or to something else. */
const unheard =
  /no longer read|were ignored|is ignored|will be ignored|YN0057|unknown field|not (?:currently )?support/i;

/** Words of the managers that a version was never published. */
const unpublished = [
  /No matching version found for (\S+)@/,
  /Couldn't find any versions for "([^"]+)"/,
  /│ (\S+)@npm:[^:]+: No candidates found/,
  /No version matching "[^"]+" found for specifier "([^"]+)"/,
];

/** What came of one plan: how many alerts it speaks of, and how many of them are as it says. */
export interface Outcome {
  readonly project: string;
  readonly manager: string;
  readonly before: number;
  readonly closes: number;
  readonly closed: number;
  readonly mayClose: number;
  readonly mayClosed: number;
  readonly stays: number;
  readonly stayed: number;
  readonly opened: number;
  readonly steps: Readonly<Record<string, number>>;
  /** Overrides with another major version. */
  readonly acrossMajor: number;
  readonly bytes: number;
  readonly tokens: number;
  readonly unnamed: number;
  /** Packages whose proposed version the registry does not have. */
  readonly missing: readonly string[];
  /** What the manager says against the plan; null where it takes it. */
  readonly refused: string | null;
  /** Alerts that are not as the plan says for certain. */
  readonly wrong: readonly string[];
}

/** Plans, follows the plan with the project's manager, syncs what that wrote, and compares alert by alert. */
export async function prove(service: TestService, lookup: RegistryLookup, project: Project): Promise<Outcome> {
  const manager = managers[project.manager];
  const { folder, said } = await openProject(project);
  const stack = await newStack(service);
  const source = 'shop:';
  const readStack = async () => {
    const given = { path: path.join(folder, manager.lockfile), project: stack.projectId, force: true, dryRun: false };
    const env = { SERVICE_API_URL: service.url, SERVICE_API_KEY: stack.key };
    const { error, lockfiles } = await sync({ ...given, source: `${source}${manager.lockfile}` }, env, 'reach/test');
    const refused = lockfiles.flatMap((each) => each.refused ?? []);
    if (error !== null || refused.length > 0) throw new Error(`the sync failed: ${JSON.stringify(error)} ${refused}`);
    return (await stack.rows()).filter(({ resolved_at }) => resolved_at === null);
  };
  const before = await readStack();
  await learnVersions(service.database, lookup, broughtIn);
  const plan = await askPlan(service, stack);
  keep(project, 'before', folder);
  const { missing, refused } = await follow(project, folder, source, plan, said);
  keep(project, 'after', folder);
  const after = await readStack();
  const open = new Set(after.map(({ id }) => id));
  const having = (fate: string) => before.filter(({ id }) => plan.fates.get(id) === fate);
  const isMade = ({ package_name }: (typeof before)[number]) => !missing.includes(package_name);
  const [closes, mayClose, stays] = [having('closed').filter(isMade), having('unknown'), having('left')];
  const stillOpen = closes.filter(({ id }) => open.has(id));
  const gone = stays.filter(({ id }) => !open.has(id));
  const known = new Set(before.map(({ id }) => id));
  const wordsOf = ({ package_name, vulnerability_id, versions }: (typeof before)[number]) =>
    `${package_name} ${versions.join(', ')} ${vulnerability_id}`;
  const steps = plan.upgrades.flatMap((upgrade) => upgrade.steps);
  const kinds = new Map<string, number>(plan.refreshed > 0 ? [['refreshed', plan.refreshed]] : []);
  for (const { how } of steps) kinds.set(how, (kinds.get(how) ?? 0) + 1);
  return {
    ...{ project: project.name, manager: project.manager, before: before.length },
    ...{ closes: closes.length, closed: closes.length - stillOpen.length },
    ...{ mayClose: mayClose.length, mayClosed: mayClose.filter(({ id }) => !open.has(id)).length },
    ...{ stays: stays.length, stayed: stays.length - gone.length },
    opened: after.filter(({ id }) => !known.has(id)).length,
    steps: Object.fromEntries(kinds),
    acrossMajor: steps.filter(({ how, jump }) => how === 'override' && jump === 'major').length,
    bytes: plan.pages.reduce((sum, page) => sum + Buffer.byteLength(page), 0),
    tokens: plan.pages.reduce((sum, page) => sum + countTokens(page), 0),
    ...{ unnamed: plan.unnamed, missing, refused },
    wrong: [
      ...stillOpen.map((each) => `said to close, and open: ${wordsOf(each)}`),
      ...gone.map((each) => `said to stay, and closed: ${wordsOf(each)}`),
    ],
  };
}

/** For a look at what is wrong. */
function keep({ name, manager }: Project, when: 'before' | 'after', folder: string): void {
  const place = process.env['TOOLS_KEEP'];
  if (place === undefined) return;
  cpSync(folder, path.join(place, `${name}, ${manager}`, when), {
    recursive: true,
    filter: (file) => path.basename(file) !== 'node_modules',
  });
}

/** Writes the edits and runs the commands, without the packages whose version turns out to be missing. */
async function follow(
  { manager: name }: Project,
  folder: string,
  source: string,
  { upgrades, runs }: Pick<Planned, 'upgrades' | 'runs'>,
  said: string,
) {
  const manager = managers[name];
  const original = filesIn(folder);
  const missing: string[] = [];
  for (;;) {
    const made = upgrades.filter((upgrade) => !missing.includes(upgrade.name));
    restore(folder, original);
    const strange = writeEdits(
      folder,
      source,
      made.flatMap(({ edits }) => edits),
    );
    for (const { lockfile, delete_entries } of runs) {
      strange.push(...deleteEntries(path.join(folder, lockfile.slice(source.length)), delete_entries));
    }
    if (strange.length > 0) return { missing, refused: strange.join('; ') };
    const { refused, output } = await runAll(
      manager,
      folder,
      runs.flatMap(({ commands }) => commands),
      said,
    );
    const unknown = unpublished
      .flatMap((words) => words.exec(output)?.[1] ?? [])
      .find((each) => !missing.includes(each));
    if (refused === null || unknown === undefined || !upgrades.some((upgrade) => upgrade.name === unknown))
      return { missing, refused };
    missing.push(unknown);
  }
}

/** Ends at the first command that the manager does not carry out. */
async function runAll(manager: Manager, folder: string, commands: readonly string[], said: string) {
  let output = '';
  for (const line of commands) {
    const ran = await run(manager, folder, line);
    output += ran.output;
    const complaint = ran.output.split('\n').find((words) => unheard.test(words) && !said.includes(words));
    if (!ran.ok) return { output, refused: `${line}: ${ran.output.slice(-2000)}` };
    if (complaint !== undefined) return { output, refused: `${line}: ${complaint}` };
  }
  return { output, refused: null };
}
