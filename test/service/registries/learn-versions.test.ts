import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { withoutRunner } from '../../../src/service/jobs/job.js';
import { dueProjects } from '../../../src/service/registries/due-projects.js';
import { learnVersions } from '../../../src/service/registries/learn-versions.js';
import { createRegistryLookup, type RegistryLookup } from '../../../src/service/registries/registry-lookup.js';
import { broughtIn } from '../../../src/service/remediation/plan-with-releases.js';
import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { eventually } from '../../support/eventually.js';
import { ownDatabase } from '../../support/own-database.js';
import { startService, type TestService } from '../../support/service.js';
import { newStack } from '../alerts/stack.js';
import { loadRecords, record, unique } from '../intelligence/organisation.js';
import { type Answer, npmList, startRegistry } from './registry-server.js';

let service: TestService;
beforeAll(async () => {
  service = await startService({ database: await ownDatabase() });
});
afterAll(async () => {
  await service.close();
  await service.database.close();
});
beforeEach(async () => {
  await run(sql`update projects set lists_due_at = now() + interval '1 day'`);
  await run(sql`delete from registry_versions`);
});

const run = (statement: ReturnType<typeof sql>) => service.database.system((tx) => statement.execute(tx));

/** A registry with these answers, which an operator has named for each of the ecosystems. */
async function registryOf(answers: Readonly<Record<string, Answer>>, ecosystems: readonly Ecosystem[] = ['npm']) {
  const { url, asked } = await startRegistry(answers);
  const urls = Object.fromEntries(ecosystems.map((each) => [each, url]));
  const lookup = createRegistryLookup({ database: service.database, urls, timeoutMs: 20_000 });
  onTestFinished(() => lookup.close());
  return { asked, lookup };
}

/** As if it were one that nobody has named: the public one. */
const asPublic = (lookup: RegistryLookup): RegistryLookup => ({ ...lookup, mirrored: new Set() });

const learn = (lookup: RegistryLookup) => learnVersions(service.database, lookup, broughtIn);

/** A project whose stack has these packages at 1.0.0, each with what it needs; below 2.0.0 the flawed ones have an alert. */
async function projectWith(needs: Readonly<Record<string, readonly string[]>>, flawed: readonly string[]) {
  if (flawed.length > 0) await loadRecords(service, ...flawed.map((name) => record(unique.name(), name)));
  const stack = await newStack(service);
  const names = Object.keys(needs);
  await sync(stack, needs);
  return { ...stack, names };
}

async function sync(
  { key, projectId }: Awaited<ReturnType<typeof newStack>>,
  needs: Readonly<Record<string, readonly string[]>>,
) {
  const names = Object.keys(needs);
  const packages = Object.entries(needs).map(([name, children]) => ({
    purl: `pkg:npm/${name.replace('@', '%40')}@1.0.0`,
    dependencies: children.map((child) => names.indexOf(child)),
  }));
  const body = { source: 'lock', force: true, packages };
  const { status } = await service.call(key, 'POST', `/api/projects/${projectId}/tech-stack/sync`, body);
  expect(status).toBe(200);
}

const path = (name: string) => `/${encodeURIComponent(name)}`;
const listed = (...names: string[]) => Object.fromEntries(names.map((name) => [path(name), npmList({ '1.0.0': {} })]));

/** New names with these endings. */
function newNames<Key extends string>(...keys: Key[]) {
  const prefix = unique.name();
  return Object.fromEntries(keys.map((key) => [key, `${prefix}-${key}`]));
}

test('after a sync registries are asked for packages with alerts and all that brings them in, and for nothing else', async () => {
  const { top = '', mid = '', leaf = '', below = '', beside = '' } = newNames('top', 'mid', 'leaf', 'below', 'beside');
  const needs = { [top]: [mid], [mid]: [leaf, beside], [leaf]: [below], [below]: [], [beside]: [] };
  await projectWith(needs, [leaf]);
  const { asked, lookup } = await registryOf(listed(top, mid, leaf));
  await learn(lookup);
  expect(asked.toSorted()).toEqual([top, mid, leaf].map(path).sort());
  await learn(lookup);
  expect(asked).toHaveLength(3);
});

test('a project without alerts asks for nothing', async () => {
  const { top = '', leaf = '' } = newNames('top', 'leaf');
  await projectWith({ [top]: [leaf], [leaf]: [] }, []);
  const { asked, lookup } = await registryOf({});
  await learn(lookup);
  expect(asked).toEqual([]);
});

test('registries are asked again when the stack has changed, when a feed opens an alert, and after a day', async () => {
  const { top = '', leaf = '', other = '', late = '' } = newNames('top', 'leaf', 'other', 'late');
  const stack = await projectWith({ [top]: [leaf], [leaf]: [], [late]: [] }, [leaf]);
  const { asked, lookup } = await registryOf(listed(top, leaf, other, late));
  await learn(lookup);
  expect(asked.splice(0).toSorted()).toEqual([leaf, top].map(path).sort());
  await sync(stack, { [top]: [leaf], [other]: [leaf], [leaf]: [], [late]: [] });
  await learn(lookup);
  expect(asked.splice(0)).toEqual([path(other)]);
  await loadRecords(service, record(unique.name(), late));
  await learn(lookup);
  expect(asked.splice(0)).toEqual([path(late)]);
  await run(sql`update projects set lists_due_at = now() - interval '1 second' where id = ${stack.projectId}`);
  await run(sql`update registry_versions set looked_up_at = looked_up_at - interval '1 day'`);
  await learn(lookup);
  expect(asked).toHaveLength(4);
});

test('what a registry does not give is asked for again hours later, and keeps nothing else waiting', async () => {
  const { top = '', leaf = '' } = newNames('top', 'leaf');
  const { projectId } = await projectWith({ [top]: [leaf], [leaf]: [] }, [leaf]);
  const { asked, lookup } = await registryOf({ ...listed(top), [path(leaf)]: { status: 500 } });
  await learn(lookup);
  expect(asked.splice(0).toSorted()).toEqual([leaf, top].map(path).sort());
  const later = (hours: number) =>
    service.database.system((tx) => dueProjects(tx, new Date(Date.now() + hours * 3_600_000)));
  expect([await later(5.9), await later(6.1)].map(({ length }) => length)).toEqual([0, 1]);
  await run(sql`update projects set lists_due_at = now() - interval '1 second' where id = ${projectId}`);
  await run(sql`update registry_versions set failed_at = failed_at - interval '6 hours'`);
  await learn(lookup);
  expect(asked).toEqual([path(leaf)]);
});

test('a registry that answers nothing is left alone for ten minutes, others are asked', async () => {
  const names = Object.values(newNames(...Array.from({ length: 30 }, (_, n) => `down-${n}`)));
  const stack = await projectWith(Object.fromEntries(names.map((name) => [name, []])), names);
  const gem = unique.name();
  await loadRecords(service, record(unique.name(), gem, {}, 'RubyGems'));
  const item = { ecosystem: 'RubyGems', name: gem, version: '1.0.0' };
  await service.call(stack.key, 'POST', `/api/projects/${stack.projectId}/tech-stack`, item);
  const answers = {
    ...Object.fromEntries(names.map((name) => [path(name), { status: 503 }])),
    [`/api/v1/versions/${gem}.json`]: { status: 200, body: '[{"number":"1.0.0"}]' },
  };
  const { asked, lookup } = await registryOf(answers, ['npm', 'RubyGems']);
  const pauses = new Map<Ecosystem, number>();
  await learnVersions(service.database, lookup, broughtIn, pauses);
  expect(asked).toContain(`/api/v1/versions/${gem}.json`);
  expect(asked.filter((each) => each.startsWith('/pkg')).length).toBeLessThan(12);
  expect([...pauses.keys()]).toEqual(['npm']);
  const due = (minutes: number) =>
    service.database.system((tx) => dueProjects(tx, new Date(Date.now() + minutes * 60_000)));
  expect([await due(9), await due(11)].map(({ length }) => length)).toEqual([0, 1]);
});

test('a service that stops leaves a question that is under way, and counts it as no failure', async () => {
  const { leaf = '' } = newNames('leaf');
  await projectWith({ [leaf]: [] }, [leaf]);
  const { asked, lookup } = await registryOf({ [path(leaf)]: 'silence' });
  const stopping = new AbortController();
  const learning = learnVersions(service.database, lookup, broughtIn, new Map(), {
    ...withoutRunner,
    stopping: stopping.signal,
  });
  await eventually(() => expect(asked).toEqual([path(leaf)]));
  stopping.abort();
  await learning;
  expect((await run(sql`select from registry_versions`)).rows).toEqual([]);
  expect(await service.database.system((tx) => dueProjects(tx, new Date()))).toHaveLength(1);
});

test('a change during a turn makes the project due again', async () => {
  const { top = '', leaf = '', late = '' } = newNames('top', 'leaf', 'late');
  const stack = await projectWith({ [leaf]: [] }, [leaf]);
  const { asked, lookup } = await registryOf(listed(top, leaf, late));
  const meddling: RegistryLookup = {
    ...lookup,
    async list(named, stopping) {
      if (named.name === leaf) await sync(stack, { [leaf]: [], [late]: [leaf] });
      return lookup.list(named, stopping);
    },
  };
  await learn(meddling);
  expect(asked).toEqual([path(leaf), path(late)]);
});

test('organisations take turns, however many projects one has', async () => {
  const { leaf = '' } = newNames('leaf');
  const [one, other] = [await projectWith({ [leaf]: [] }, [leaf]), await projectWith({ [leaf]: [] }, [])];
  const second = await service.call(one.key, 'POST', '/api/projects', { name: 'second' });
  expect(second.status).toBe(200);
  await run(sql`
    update projects set lists_due_at = now() - case when organisation_id = ${other.organisation.id} then interval '1 minute' else interval '1 hour' end
    where organisation_id in (${one.organisation.id}, ${other.organisation.id})`);
  const due = await service.database.system((tx) => dueProjects(tx, new Date()));
  const [first, next, last] = due.map(({ organisationId }) => organisationId);
  expect([first, next, last]).toEqual([one.organisation.id, other.organisation.id, one.organisation.id]);
});

test('a public registry sees a scoped name only where an advisory names the scope, or a release that it lists asks for the package', async () => {
  const { top = '', leaf = '' } = newNames('top', 'leaf');
  const scope = (name: string) => `@${unique.name()}/${name}`;
  const [own, needed, malware] = [scope('own'), scope('needed'), scope('malware')];
  const flawed = scope('flawed');
  const known = flawed.replace('flawed', 'known');
  await loadRecords(
    service,
    record(unique.name(), flawed),
    record(`MAL-2025-${Math.floor(Math.random() * 1e9)}`, malware.replace(/malware$/, 'other')),
  );
  const needs = { [top]: [needed], [needed]: [leaf], [own]: [leaf], [known]: [leaf], [malware]: [leaf], [leaf]: [] };
  const { projectId } = await projectWith(needs, [leaf]);
  const answers = {
    ...listed(leaf, known, needed),
    [path(top)]: npmList({ '1.0.0': {}, '0.9.0': { [needed]: '^1' } }),
  };
  const { asked, lookup } = await registryOf(answers);
  await learn(asPublic(lookup));
  expect(asked.toSorted()).toEqual([top, needed, known, leaf].map(path).sort());

  await run(sql`update projects set lists_due_at = now() - interval '1 second' where id = ${projectId}`);
  await learn(lookup);
  expect(asked.slice(4).toSorted()).toEqual([own, malware].map(path).sort());
});
