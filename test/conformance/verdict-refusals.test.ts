import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { procedures } from '../../src/procedures/index.js';
import { reasons } from '../../src/procedures/problem.js';
import { makeApiKey } from '../../src/service/auth/api-key.js';
import { at } from '../support/at.js';
import { callTool } from '../support/gateway.js';
import { startPostern, type TestPostern } from '../support/postern.js';
import { answerOf, type TransportAnswer, type TransportName, transports, transportsOf } from './transports.js';
import { makeWorld, storeIntelligence, type World } from './world.js';

const failed = 'authentication failed';
const forbidden = 'this API key is read-only or lacks permission';
const planRequired = 'this needs a Business or Enterprise subscription (Enterprise for export_sbom)';

let postern: TestPostern;
/** On the plan Business, on Free, and of another organisation. */
let world: World;
let free: World;
let other: World;
/** A second project of the first world's organisation, with a verdict of its own. */
let secondProject: string;
beforeAll(async () => {
  postern = await startPostern();
  const intelligence = await storeIntelligence(postern);
  world = await makeWorld(postern, intelligence, { plan: 'Business' });
  free = await makeWorld(postern, intelligence, { plan: 'Free' });
  other = await makeWorld(postern, intelligence, { plan: 'Business' });
  const created = await postern.call(world.organisation.writeKey, 'POST', '/api/projects', { name: 'second' });
  secondProject = String(at(created.body, 'id'));
});
afterAll(() => postern.close());

type Name = keyof typeof procedures.reachability;
const names = [
  'listVerdicts',
  'progress',
  'getVerdict',
  'overrideVerdict',
  'clearOverride',
  'uploadUsageReport',
] as const;
const rulings = ['overrideVerdict', 'clearOverride'] as const;

/** A good input of each. */
function inputOf(name: Name, { projectId, verdictId }: World): Record<string, unknown> {
  const project = { project_id: projectId };
  switch (name) {
    case 'listVerdicts':
    case 'progress':
      return project;
    case 'getVerdict':
    case 'clearOverride':
      return { ...project, verdict_id: verdictId };
    case 'overrideVerdict':
      return { ...project, verdict_id: verdictId, verdict: 'NotExploitable', reason: 'only in a sandboxed build' };
    case 'uploadUsageReport':
      return { ...project, report: emptyReport };
  }
}

const emptyReport = {
  schema: 'reach/1',
  tool: { name: 'reach', version: '0.1.0' },
  generated_at: '2026-01-02T03:04:05.000Z',
  commit: null,
  lockfiles: [],
  stats: { files: 0, bytes: 0, parse_errors: 0, skipped: 0, unresolved: 0, unknown_dynamic: 0, duration_ms: 0 },
  entries: [],
  complete: false,
  dependencies: [],
};

function ask(transport: TransportName, name: Name, credential: string | null, input: Record<string, unknown>) {
  return transports[transport](postern.url, credential, `reachability.${name}`, procedures.reachability[name], input);
}

/** The same refusal through every transport; `text` is the gateway's, the REST API's answer has the code. */
async function expectRefusal(
  name: Name,
  credential: string | null,
  input: Record<string, unknown>,
  { code, text }: { readonly code: string; readonly text: string },
): Promise<void> {
  const results: Record<string, TransportAnswer> = {};
  for (const transport of transportsOf(procedures.reachability[name]))
    results[transport] = await ask(transport, name, credential, input);
  expect(results['rest'], name).toMatchObject({ ok: false, code });
  expect(results['trpc'], name).toEqual({ ok: false, code, text });
  if (procedures.reachability[name].tool !== undefined) {
    expect(results['mcp'], name).toEqual({ ok: false, code: null, text });
  }
}

/** The verdict's override, as the database has it. */
async function overrideOf({ organisation, verdictId }: World) {
  return postern.database.system((tx) =>
    tx
      .selectFrom('verdicts')
      .select(['override_verdict', 'override_reason', 'revision'])
      .where('organisation_id', '=', organisation.id)
      .where('id', '=', verdictId)
      .executeTakeFirstOrThrow(),
  );
}

describe('credentials', () => {
  test.each(names)('%s without a key, or with one that nobody has', async (name) => {
    const refusal = { code: 'unauthenticated', text: failed };
    await expectRefusal(name, null, inputOf(name, world), refusal);
    await expectRefusal(name, makeApiKey(), inputOf(name, world), refusal);
    await expectRefusal(name, 'nonsense', inputOf(name, world), refusal);
  });

  test.each(rulings)('%s takes no API key at all: 401, whatever its scope and the plan', async (name) => {
    const before = await overrideOf(world);
    for (const { organisation } of [world, free]) {
      for (const key of [organisation.readKey, organisation.writeKey]) {
        await expectRefusal(name, key, inputOf(name, world), { code: 'unauthenticated', text: failed });
      }
    }
    expect(await overrideOf(world)).toEqual(before);
  });

  test('a key that tries to override reads beside the specified words what is needed', async () => {
    const { writeKey } = world.organisation;
    const { raw, text } = await callTool(postern, 'override_reachability_verdict', inputOf('overrideVerdict', world), {
      headers: { authorization: `Bearer ${writeKey}` },
    });
    expect(text).toBe(failed);
    expect(raw).toContain(reasons.needs_member_session);
    const nobody = await callTool(postern, 'override_reachability_verdict', inputOf('overrideVerdict', world), {
      headers: { authorization: `Bearer ${makeApiKey()}` },
    });
    expect(nobody.raw).not.toContain(reasons.needs_member_session);
  });

  test('a read key reads verdicts and uploads no report', async () => {
    const { readKey, writeKey } = world.organisation;
    const input = inputOf('uploadUsageReport', world);
    await expectRefusal('uploadUsageReport', readKey, input, { code: 'forbidden', text: forbidden });
    for (const key of [readKey, writeKey]) {
      for (const name of ['listVerdicts', 'getVerdict'] as const) {
        for (const transport of transportsOf(procedures.reachability[name])) {
          expect((await ask(transport, name, key, inputOf(name, world))).ok, `${name} ${transport}`).toBe(true);
        }
      }
    }
  });

  test.each(['member', 'admin'] as const)('a %s overrides and clears through every transport', async (role) => {
    const { session, name: setter } = world.organisation[role];
    for (const transport of transportsOf(procedures.reachability.overrideVerdict)) {
      const overridden = answerOf(await ask(transport, 'overrideVerdict', session, inputOf('overrideVerdict', world)));
      expect(overridden, transport).toMatchObject({
        band: 'likely_not_exploitable',
        effective_priority: 0,
        machine: { band: 'known_exploited' },
        override: { verdict: 'NotExploitable', reason: 'only in a sandboxed build', set_by: setter },
      });
      const through = transport === 'mcp' ? 'trpc' : transport;
      const cleared = answerOf(await ask(through, 'clearOverride', session, inputOf('clearOverride', world)));
      expect(cleared).toMatchObject({ band: 'known_exploited', override: null });
    }
  });
});

describe('plans', () => {
  test.each(names)('%s needs Business or Enterprise', async (name) => {
    const { member, admin, readKey, writeKey } = free.organisation;
    const isRuling = rulings.some((ruling) => ruling === name);
    const callers = isRuling ? [] : [writeKey];
    if (procedures.reachability[name].access === 'read') callers.push(readKey);
    for (const credential of [...callers, member.session, admin.session]) {
      await expectRefusal(name, credential, inputOf(name, free), { code: 'plan_required', text: planRequired });
    }
  });

  test('on Free every alert is unanalyzed', async () => {
    const path = `/api/projects/${free.projectId}/alerts`;
    const { body } = await postern.call(free.organisation.readKey, 'GET', path);
    expect(at(body, 'items.0')).toMatchObject({ band: 'unanalyzed', verdict: null });
  });
});

describe('what an override says', () => {
  test.each([
    ['no reason', { reason: undefined }, 'reason: is required (string)'],
    ['an empty reason', { reason: '' }, 'reason: must not be blank'],
    ['a blank reason', { reason: ' \n\t\u00a0 ' }, 'reason: must not be blank'],
    ['a reason too long', { reason: 'x'.repeat(2_001) }, 'reason: Too big: expected string to have <=2000 characters'],
    ['a reason that is no text', { reason: 7 }, 'reason: expected string, received number'],
    ['no verdict', { verdict: undefined }, 'verdict: expected one of "NotExploitable"|"Exploitable"'],
    ['an unknown verdict', { verdict: 'Maybe' }, 'verdict: expected one of "NotExploitable"|"Exploitable"'],
    ['a verdict in other letters', { verdict: 'exploitable' }, 'verdict: expected one of'],
    ['a field that is not known', { comment: 'x' }, 'comment: is not known; it takes project_id, verdict_id, verdict'],
  ])('%s: 422 that names the field', async (_name, fault, text) => {
    const before = await overrideOf(world);
    const input = { ...inputOf('overrideVerdict', world), ...fault };
    const session = world.organisation.member.session;
    const rest = await ask('rest', 'overrideVerdict', session, input);
    expect(rest).toMatchObject({ ok: false, code: 'invalid_input', text: expect.stringContaining(text) });
    expect(await ask('trpc', 'overrideVerdict', session, input)).toEqual(rest);
    expect(await ask('mcp', 'overrideVerdict', session, input)).toEqual({ ...rest, code: null });
    expect(await overrideOf(world)).toEqual(before);
  });

  test('a reason of 2,000 characters with blanks around it is taken, and trimmed', async () => {
    const reason = 'x'.repeat(2_000);
    const input = { ...inputOf('overrideVerdict', world), reason: `  ${reason}\n` };
    const session = world.organisation.member.session;
    for (const transport of ['rest', 'trpc', 'mcp'] as const) {
      expect(at(answerOf(await ask(transport, 'overrideVerdict', session, input)), 'override.reason')).toBe(reason);
      await ask('rest', 'clearOverride', session, inputOf('clearOverride', world));
    }
  });
});

describe('which verdict', () => {
  test.each(['getVerdict', ...rulings] as const)('%s: unknown, or another project’s', async (name) => {
    const session = world.organisation.admin.session;
    const before = await overrideOf(world);
    const good = inputOf(name, world);
    const unknown = (id: string) => ({
      code: 'not_found',
      text: `verdict ${id} was not found: list_reachability_verdicts names them`,
    });
    await expectRefusal(name, session, { ...good, verdict_id: 'vrd_none' }, unknown('vrd_none'));
    await expectRefusal(name, session, { ...good, project_id: secondProject }, unknown(world.verdictId));
    await expectRefusal(name, session, { ...good, verdict_id: other.verdictId }, unknown(other.verdictId));
    expect(await overrideOf(world)).toEqual(before);
  });

  test.each(names)('%s: another organisation’s project', async (name) => {
    const before = await overrideOf(other);
    const text = `project ${other.projectId} was not found: list_projects names them`;
    const session = world.organisation.admin.session;
    await expectRefusal(name, session, inputOf(name, other), { code: 'not_found', text });
    expect(await overrideOf(other)).toEqual(before);
  });
});
