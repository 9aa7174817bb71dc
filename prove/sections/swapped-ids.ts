import { randomBytes } from 'node:crypto';
import { forms, operations } from '../operations/index.js';
import { type Check, judged } from '../support/check.js';
import { call, doorsOf } from '../support/doors.js';
import { inParallel } from '../support/in-parallel.js';
import { type Ids, idsOf, isInProject, type Operation, type Who } from '../support/operation.js';
import type { LocalProof } from '../support/proof.js';
import { createTenant, type Tenant } from '../support/tenant.js';
import { fillTenant, loadAdvisory } from '../support/world.js';

interface World {
  readonly tenant: Tenant;
  readonly ids: Ids;
}

interface Attacker {
  readonly as: string;
  readonly credential: string;
  readonly own: Ids;
  /** It may not call all that the operations are: then it never gets as far as the ids. */
  readonly mayLess: (who: Who) => boolean;
}

/**
 * Two organisations of the same shape: the first calls everything with ids of the second. So do a key of the second that
 * is bound to another project of it, and people of the second with a role in the group of that project alone.
 */
export async function swappedIds({ url, instance, short }: LocalProof): Promise<Check[]> {
  await loadAdvisory(instance);
  const world = async (): Promise<World> => {
    const tenant = await createTenant(instance, 'Enterprise');
    return { tenant, ids: await fillTenant(url, tenant) };
  };
  const [attacker, victim] = [await world(), await world()];
  const before = await readAll(url, victim);
  const faults = [...before.faults];
  let tried = 0;
  const { admin, writeKey } = attacker.tenant;
  const { bound, people } = victim.tenant;
  const own = { ...nobodysIds, project: bound.project };
  const key = (who: Who) => !['reader', 'decider', 'writer', 'remover'].includes(who);
  const attackers: readonly Attacker[] = [
    { as: 'an admin', credential: admin.session, own: attacker.ids, mayLess: () => false },
    { as: 'a bound key', credential: bound.key, own, mayLess: key },
    { as: 'a viewer of a group', credential: people['group viewer'].session, own, mayLess: (who) => who !== 'reader' },
    ...(short
      ? []
      : [
          { as: 'a key', credential: writeKey, own: attacker.ids, mayLess: key },
          { as: 'a member of a group', credential: people['group member'].session, own, mayLess: isForAdmins },
        ]),
  ];
  const swaps = attackers.flatMap(({ as, credential, own, mayLess }) =>
    operations.filter(namesIds).flatMap((operation) =>
      mixes(own, victim.ids, operation).flatMap((ids, mix) =>
        doorsOf(operation)
          .filter((_door, at, doors) => !short || at === mix % doors.length)
          .map((door) => ({ operation, ids, door, as, credential, mayLess })),
      ),
    ),
  );
  await inParallel(swaps, 8, async ({ operation, ids, door, as, credential, mayLess }) => {
    const input = operation.input(ids, randomBytes(6).toString('hex'));
    const { outcome, answer } = await call(url, { operation, door, credential, input });
    if (outcome === 'busy') return;
    tried += 1;
    const where = `${operation.path} over ${door} by ${as}`;
    if (answer.text.includes(victim.tenant.mark)) faults.push(`${where}: the answer has the other's texts`);
    const allowed = operation.filtersById === true ? ['ok', 'not_found'] : ['not_found'];
    if (mayLess(operation.who) || (as.endsWith('group') && !isInProject(operation)))
      allowed.push('unauthenticated', 'forbidden');
    if (!allowed.includes(outcome)) faults.push(`${where}: ${outcome} ${answer.status} instead of ${allowed[0]}`);
  });
  if (tried < swaps.length / 2) faults.push(`only ${tried} of ${swaps.length} calls were not refused as too busy`);
  const after = await readAll(url, victim);
  for (const [path, text] of before.answers) {
    if (after.answers.get(path) !== text) faults.push(`${path}: the other organisation's answer has changed`);
  }
  faults.push(...(await faultsOfNarrowed(url, victim)));
  const figures = `${tried} calls with another's ids; ${before.answers.size} reads of the other the same before and after`;
  return [judged({ row: 'API1', name: 'swapped ids' }, figures, faults)];
}

const nobodysIds = idsOf(() => `none_${'a'.repeat(20)}`);

function isForAdmins(who: Who): boolean {
  return who === 'admin' || who === 'remover';
}

/** What says who asks. */
const aboutCaller: readonly string[] = ['session.get', 'organisation.get'];

/**
 * What a key that is bound to one project reads, lists and sums of the whole organisation included, names no other. A viewer of the
 * group that the project is alone in reads the same.
 */
async function faultsOfNarrowed(url: string, { tenant: { bound, people, mark }, ids }: World): Promise<string[]> {
  const reads = forms.filter(({ who, http = 'GET ' }) => who === 'reader' && http.startsWith('GET '));
  const found = await inParallel(reads, 4, async (operation) => {
    const input = operation.input({ ...nobodysIds, project: bound.project }, '');
    const ask = (credential: string) =>
      Promise.all(doorsOf(operation).map((door) => call(url, { operation, door, credential, input })));
    const [byKey, byViewer] = [await ask(bound.key), await ask(people['group viewer'].session)];
    const shows = [...byKey, ...byViewer].some(
      ({ answer: { text } }) => text.includes(ids.project) || text.includes(`Shop ${mark}`),
    );
    const differ =
      !aboutCaller.includes(operation.path) &&
      byKey.some(({ outcome, answer }, at) => {
        const other = byViewer[at];
        return outcome === 'ok' && withoutTimes(answer.text) !== withoutTimes(other?.answer.text ?? '');
      });
    return [
      ...(shows ? [`${operation.path} by who sees one project: the answer has the texts of another`] : []),
      ...(differ ? [`${operation.path}: a viewer of a group and a key bound to its project read differently`] : []),
    ];
  });
  return found.flat();
}

/** Answers name the moment at which they were made. */
function withoutTimes(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
}

/** Whether an operation's input depends on the ids it is given. */
function namesIds({ input }: Operation): boolean {
  const [one, other] = [idsOf((kind) => `${kind}1`), idsOf((kind) => `${kind}2`)];
  return JSON.stringify(input(one, '')) !== JSON.stringify(input(other, ''));
}

/** All ids the victim's, the project alone, or everything but the project. */
function mixes(own: Ids, others: Ids, { input }: Operation): Ids[] {
  const all = [others, { ...own, project: others.project }, { ...others, project: own.project }];
  const ownInput = JSON.stringify(input(own, ''));
  // A mix that is the attacker's own input is no attack.
  return all.filter((ids) => JSON.stringify(input(ids, '')) !== ownInput);
}

/** Every read of an organisation by its admin. Each must succeed: otherwise the refusals of the attack would say nothing. */
async function readAll(url: string, { tenant, ids }: World) {
  const faults: string[] = [];
  const reads = forms.filter(({ http = 'GET ' }) => http.startsWith('GET '));
  const rows = await inParallel(reads, 4, async (operation): Promise<readonly [string, string]> => {
    const [door = 'trpc'] = doorsOf(operation);
    const input = operation.input(ids, '');
    const { outcome, answer } = await call(url, { operation, door, credential: tenant.admin.session, input });
    if (outcome !== 'ok') faults.push(`${operation.path} with own ids: ${outcome} ${answer.status}`);
    return [`${operation.path} ${operation.http}`, withoutUse(answer.text)];
  });
  return { answers: new Map(rows), faults };
}

/** The attacker's own reads move these times of nobody else; those of the reading admin do move. */
function withoutUse(text: string): string {
  return text.replace(/"(last_seen_at|last_used_at)":("[^"]*"|null)/g, '"$1":0');
}
