import { randomBytes } from 'node:crypto';
import { type AnyProcedure, isComposite } from '../../src/procedures/define.js';
import { procedures } from '../../src/procedures/index.js';
import { forms, operations, publicPaths } from '../operations/index.js';
import { type Check, judged, notTried } from '../support/check.js';
import { type Call, call, type Door, doorsOf, type Outcome } from '../support/doors.js';
import { inParallel } from '../support/in-parallel.js';
import { idsOf, isInProject, mayAs, type Operation, type Plan } from '../support/operation.js';
import type { LocalProof, ReadOnlyProof } from '../support/proof.js';
import { newSession, type PersonRole, personRoles, ranksOf, type Tenant } from '../support/tenant.js';

const roles = ['read key', 'write key', 'bound key', ...personRoles] as const;
type Role = (typeof roles)[number];
const plans: readonly Plan[] = ['Free', 'Business', 'Enterprise'];
const refusals = { unauthenticated: true, forbidden: true, plan_required: true } as const;
const concurrency = 8;

/** Ids that nobody has: a call that is admitted finds nothing, so that no cell changes anything of another. */
const unknownIds = idsOf(() => `none_${'a'.repeat(20)}`);

/** What a caller of this role gets, after the specification, section 5; `admitted` is anything but a refusal of the caller. */
function expected(operation: Operation, role: Role, has: Plan): readonly (Outcome | 'admitted')[] {
  const { who, plan } = operation;
  if (who === 'judge' && isKey(role)) return ['unauthenticated'];
  const tooSmall = plans.indexOf(has) < plans.indexOf(plan ?? 'Free');
  const refused = isKey(role) ? isRefusedToKey(operation, role) : isRefusedToPerson(operation, role);
  // Where both are wrong, either answer is right.
  if (refused) return tooSmall ? ['forbidden', 'plan_required'] : ['forbidden'];
  return tooSmall ? ['plan_required'] : ['admitted'];
}

type Key = Exclude<Role, PersonRole>;

function isKey(role: Role): role is Key {
  return !personRoles.some((each) => each === role);
}

function isRefusedToKey({ who, isOfAll }: Operation, role: Key): boolean {
  if (who === 'person' || who === 'admin') return true;
  return (who !== 'reader' && role === 'read key') || (isOfAll === true && role === 'bound key');
}

function isRefusedToPerson(operation: Operation, role: PersonRole): boolean {
  const { everywhere, inProject } = ranksOf[role];
  return !mayAs(isInProject(operation) ? inProject : everywhere, operation);
}

interface Cell {
  readonly operation: Operation;
  readonly door: Door;
  readonly plan: Plan;
  readonly caller: string;
  readonly credential: () => Promise<string | null>;
  /** That of the caller's group, where it has one: what it may write changes nothing that another cell asks for. */
  readonly project?: string;
  readonly expected: readonly (Outcome | 'admitted')[];
}

/** Every procedure and door by every kind of credential, good ones of every plan. */
export async function permissionMatrix({ url, tenants, short }: LocalProof): Promise<Check[]> {
  // The tenants alternate, so that the rates of none of them are used up while the others wait.
  const cells = forms.flatMap((operation) => plans.flatMap((plan) => cellsOf(url, operation, tenants[plan])));
  return [inventory(), ...(await run(url, short ? cells.filter(isInShortForm) : cells))];
}

/** The short form: each role at one door and in one plan, others for each procedure, and some of the bad credentials. */
function isInShortForm({ operation, door, plan, caller }: Cell): boolean {
  const turn = forms.indexOf(operation) + plans.indexOf(plan) + caller.length;
  const isTurnOfPlan = turn % plans.length === 0;
  const all = doorsOf(operation);
  const isTurnOfDoor = all.indexOf(door) === turn % all.length;
  return isTurnOfDoor && (roles.some((role) => role === caller) ? isTurnOfPlan : turn % 7 === 0);
}

/** A bad credential is refused before anybody looks at a plan: for each procedure those of one plan are tried, by turns. */
function isTurnOf(operation: Operation, plan: Plan): boolean {
  return forms.indexOf(operation) % plans.length === plans.indexOf(plan);
}

function cellsOf(url: string, operation: Operation, tenant: Tenant): Cell[] {
  const { plan } = tenant;
  return doorsOf(operation).flatMap((door) => [
    ...(isTurnOf(operation, plan) ? Object.entries({ ...tenant.bad, none: null }) : []).map(
      ([caller, credential]): Cell => {
        return {
          ...{ operation, door, plan, caller },
          credential: async () => credential,
          expected: ['unauthenticated'],
        };
      },
    ),
    ...roles.map((caller): Cell => {
      const credential = () => credentialOf(url, operation, tenant, caller);
      const project = caller.startsWith('group ') && { project: tenant.bound.project };
      return {
        ...{ operation, door, plan, caller, credential, ...project },
        expected: expected(operation, caller, plan),
      };
    }),
  ]);
}

async function credentialOf(url: string, { endsSessions }: Operation, tenant: Tenant, role: Role): Promise<string> {
  if (role === 'read key') return tenant.readKey;
  if (role === 'write key') return tenant.writeKey;
  if (role === 'bound key') return tenant.bound.key;
  // A session that this call ends must not be the one that others use.
  const { session, email, password } = { ...tenant.people, admin: tenant.admin, member: tenant.member }[role];
  return endsSessions === 'own' ? newSession(url, email, password) : session;
}

/** The same for the one key of a deployment: no call that could change something if it were admitted. */
export async function permissionsOfKey({ url, key }: ReadOnlyProof): Promise<Check[]> {
  const cells = forms
    .filter(({ changesAnyway }) => changesAnyway !== true)
    .flatMap((operation) =>
      doorsOf(operation).flatMap((door): Cell[] => [
        {
          ...{ operation, door, plan: 'Enterprise', caller: 'the given key', credential: async () => key },
          expected: [...expected(operation, 'read key', 'Enterprise'), ...expected(operation, 'read key', 'Free')],
        },
        {
          ...{ operation, door, plan: 'Enterprise', caller: 'none', credential: async () => null },
          expected: ['unauthenticated'],
        },
      ]),
    );
  return run(url, cells);
}

async function run(url: string, cells: readonly Cell[]): Promise<Check[]> {
  const ask = async (cell: Cell) => {
    const { operation, door, project } = cell;
    const wanted: Call = {
      ...{ operation, door, credential: await cell.credential() },
      input: operation.input(
        { ...unknownIds, ...(project !== undefined && { project }) },
        randomBytes(6).toString('hex'),
      ),
    };
    return { cell, ...(await call(url, wanted)) };
  };
  // What ends sessions must not end one that another cell has just made.
  const isApart = ({ operation }: Cell) => operation.endsSessions !== undefined;
  const outcomes = [
    ...(await inParallel(cells.filter(isApart), 1, ask)),
    ...(await inParallel(
      cells.filter((cell) => !isApart(cell)),
      concurrency,
      ask,
    )),
  ];
  const busy = outcomes.filter(({ outcome }) => outcome === 'busy');
  const wrong = outcomes.filter(({ cell, outcome }) => outcome !== 'busy' && !matches(cell.expected, outcome));
  const describe = ({ cell, outcome, answer }: (typeof outcomes)[number]) =>
    `${cell.operation.path} by ${cell.caller} (${cell.plan}) over ${cell.door}: ${outcome} ${answer.status}, not ${cell.expected.join(' or ')}`;
  const isCredential = ({ cell }: (typeof outcomes)[number]) => cell.expected.includes('unauthenticated');
  const figures = (part: typeof outcomes, faults: typeof outcomes) =>
    `${part.length} cells, ${faults.length} differences`;
  const halves = [
    { row: 'API2', name: 'no call without a good credential', of: outcomes.filter(isCredential) },
    { row: 'API5', name: 'permission matrix', of: outcomes.filter((each) => !isCredential(each)) },
  ] as const;
  return [
    ...halves.map(({ row, name, of }) => {
      const faults = of.filter((each) => wrong.includes(each));
      return judged({ row, name }, figures(of, faults), faults.map(describe));
    }),
    ...(busy.length === 0
      ? []
      : [notTried({ row: 'API5', name: 'cells that were refused as too busy' }, `${busy.length} of ${cells.length}`)]),
  ];
}

function matches(wanted: Cell['expected'], outcome: Outcome): boolean {
  if (wanted.some((each) => each === outcome)) return true;
  return wanted.includes('admitted') && outcome !== 'fault' && !(outcome in refusals);
}

/** A procedure that the matrix does not know is one that nobody has written an expectation for. */
function inventory(): Check {
  const known = new Set([...operations.map(({ path }) => path), ...publicPaths]);
  const all = Object.entries(procedures).flatMap(([group, members]) =>
    Object.entries<AnyProcedure>(members).map(([member, each]) => ({ path: `${group}.${member}`, each })),
  );
  const unknown = all
    .filter(({ path }) => !known.has(path))
    .map(({ path }) => `${path} has no row in prove/operations`);
  const doorsDiffer = all.flatMap(({ path, each }) => {
    const row = operations.find((operation) => operation.path === path);
    if (row === undefined) return [];
    const { http, everywhere } = isComposite(each) ? {} : each;
    const isSame = row.tool === each.tool && row.http === http && row.everywhere === everywhere;
    return isSame ? [] : [`${path} is at other doors than prove/operations says`];
  });
  const figures = `${all.length} procedures, ${unknown.length} without an expectation`;
  return judged({ row: 'API9', name: 'every procedure has an expectation' }, figures, [...unknown, ...doorsDiffer]);
}
