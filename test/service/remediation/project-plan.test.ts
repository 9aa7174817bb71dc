import { describe, expect, test } from 'vitest';
import { askersOf } from '../../../src/service/remediation/edits.js';
import { graphOf, type StackRow } from '../../../src/service/remediation/graph.js';
import type { PlacedPackage } from '../../../src/service/remediation/load-plan.js';
import { planProject } from '../../../src/service/remediation/project-plan.js';
import { createResolver } from '../../../src/service/remediation/resolver.js';
import { upgradesOf } from '../../../src/service/remediation/upgrades.js';
import { known, type Published } from './published.js';

interface Stack {
  /** What each `name@version` asks of others, by their `name@version`. */
  readonly needs: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The ranges of the project itself. */
  readonly asks: Readonly<Record<string, string>>;
  readonly source?: string;
  readonly tool?: string;
  /** Overrides of the project, by the name of the package. */
  readonly overrides?: Readonly<Record<string, string>>;
}

function rowsOf({ needs, asks, source = 'shop:package-lock.json', tool, overrides = {} }: Stack): StackRow[] {
  const key = (each: string) => `npm ${each.replace('@', ' ')}`;
  return Object.entries(needs).map(([each, ranges]) => {
    const [name = '', version = ''] = each.split('@');
    const range = asks[each];
    const [file, override] = ['package.json', overrides[name]];
    const asked_by = [
      ...(override === undefined ? [] : [{ file, range: null, override }]),
      ...(range === undefined ? [] : [{ file, range }]),
    ];
    return {
      ...{ source, ecosystem: 'npm' as const, package_name: name, name, version, bundled_in: null, tool: tool ?? null },
      direct: range !== undefined,
      asked_by: asked_by.length === 0 ? null : asked_by,
      dependencies: Object.keys(ranges).map(key).join('\n'),
      ranges: Object.fromEntries(Object.entries(ranges).map(([to, asked]) => [key(to), asked])),
    };
  });
}

/** A package of which all versions below `fixed` are affected. */
function flawed(name: string, fixed: string, rows: readonly StackRow[], from = '0'): PlacedPackage {
  const there = rows.filter((row) => row.name === name);
  const needed = new Set(rows.flatMap(({ dependencies }) => dependencies.split('\n')));
  return {
    ...{ ecosystem: 'npm', package_name: name },
    alerts: [
      {
        ...{ id: `alert of ${name}`, ecosystem: 'npm', package_name: name, name, vulnerability_id: `CVE-${name}` },
        ...{ versions: there.map(({ version }) => version), advisory_ids: ['a'], tier: 'RED' },
        ...{ effective_priority: null, kev_added: null },
      },
    ],
    advisories: [
      {
        id: 'a',
        affected: { ranges: [{ type: 'SEMVER', events: [{ introduced: from }, { fixed }] }], versions: [] },
      },
    ],
    advice: { seen: [fixed], registry: null, withheld: false, as_of: new Date() },
    places: there.map((row) => ({
      ...row,
      ...askersOf(row.asked_by),
      scope: 'runtime',
      needed: needed.has(`npm ${row.name} ${row.version}`),
      bundled_in: null,
    })),
  };
}

async function planned(stack: Stack, flaws: Readonly<Record<string, string>>, published: Published = {}) {
  const rows = rowsOf(stack);
  const packages = Object.entries(flaws).map(([name, fixed]) => flawed(name, fixed, rows));
  const proposed = new Map(Object.entries(flaws).map(([name, fixed]) => [`npm ${name}`, [fixed]]));
  const plan = await planProject(packages, await graphOf(rows), createResolver(known(published), proposed));
  const { refresh, upgrades, stays } = upgradesOf(plan);
  return {
    fates: Object.fromEntries(plan.packages.flatMap(({ fates }) => [...fates])),
    refreshed: refresh === null ? null : refresh.names,
    upgrades: upgrades.map(({ name, steps, fixes, closes, mayClose }) => ({
      ...{ name, fixes, closes, mayClose },
      steps: steps.map(({ from, to, how, jump }) => `${from} ${to} ${how} ${jump}`),
      edits: steps.flatMap(({ edits }) => edits.map(({ change }) => change)),
    })),
    stays: stays.map(({ why }) => why),
  };
}

const web = {
  needs: { 'express@4.17.0': { 'qs@6.7.0': '6.7.0', 'send@0.17.1': '~0.17.1' }, 'qs@6.7.0': {}, 'send@0.17.1': {} },
  asks: { 'express@4.17.0': '^4.17.0' },
};

describe('a flaw of a package that others bring in', () => {
  test('closes by a refresh where all ranges take a version without it', async () => {
    const published = { send: { '0.17.1': {}, '0.17.2': {}, '0.18.0': {} } };
    expect(await planned(web, { send: '0.17.2' }, published)).toEqual({
      fates: { 'alert of send': 'closed' },
      refreshed: ['send'],
      upgrades: [],
      stays: [],
    });
  });

  test('closes by a refresh of what brings it in, inside its range', async () => {
    const published = {
      express: { '4.17.0': { qs: '6.7.0', send: '~0.17.1' }, '4.17.3': { qs: '6.9.7', send: '0.17.2' } },
      qs: { '6.7.0': {}, '6.7.3': {}, '6.9.7': {} },
      send: { '0.17.1': {}, '0.17.2': {} },
    };
    expect(await planned(web, { qs: '6.7.3', send: '0.17.2' }, published)).toMatchObject({
      fates: { 'alert of qs': 'closed', 'alert of send': 'closed' },
      refreshed: ['express', 'qs', 'send'],
      upgrades: [],
    });
  });

  test('closes by the smallest upgrade of the direct dependency that brings a good version, in the style of its range', async () => {
    const published = {
      express: {
        '4.17.0': { qs: '6.7.0', send: '~0.17.1' },
        '4.18.0': { qs: '6.10.0' },
        '4.19.0': { qs: '6.11.0' },
        '5.0.0': { qs: '6.14.0' },
      },
      qs: { '6.7.0': {}, '6.10.0': {}, '6.11.0': {}, '6.14.0': {} },
    };
    const pinned = { ...web, asks: { 'express@4.17.0': '4.17.0' } };
    expect(await planned(pinned, { qs: '6.11.0' }, published)).toEqual({
      fates: { 'alert of qs': 'closed' },
      refreshed: null,
      upgrades: [
        {
          ...{ name: 'express', fixes: ['qs'], closes: 1, mayClose: 0 },
          steps: ['4.17.0 4.19.0 direct minor'],
          edits: ['"express": "4.19.0"'],
        },
      ],
      stays: [],
    });
    const tilde = { ...web, asks: { 'express@4.17.0': '~4.17.0' } };
    const { upgrades } = await planned(tilde, { qs: '6.11.0' }, published);
    expect(upgrades.map(({ edits }) => edits)).toEqual([['"express": "~4.19.0"']]);
  });

  test('names each direct dependency that has to move, also where another upgrade counts the alert', async () => {
    const two = {
      needs: { 'qs@6.7.0': {}, 'old@1.0.0': { 'qs@6.7.0': '6.7.0' } },
      asks: { 'qs@6.7.0': '6.7.0', 'old@1.0.0': '1.0.0' },
    };
    const published = {
      qs: { '6.7.0': {}, '6.7.3': {} },
      old: { '1.0.0': { qs: '6.7.0' }, '1.0.1': { qs: '6.7.3' } },
    };
    expect((await planned(two, { qs: '6.7.3' }, published)).upgrades).toMatchObject([
      { name: 'qs', closes: 1, fixes: [], edits: ['"qs": "6.7.3"'] },
      { name: 'old', closes: 0, fixes: ['qs'], edits: ['"old": "1.0.1"'] },
    ]);
  });

  test('takes a major of the direct dependency before an override, and says that it is one', async () => {
    const published = {
      express: { '4.17.0': { qs: '6.7.0', send: '~0.17.1' }, '5.0.0': { qs: '6.14.0' } },
      qs: { '6.7.0': {}, '6.14.0': {} },
    };
    expect(await planned(web, { qs: '6.14.0' }, published)).toMatchObject({
      fates: { 'alert of qs': 'closed' },
      upgrades: [{ name: 'express', steps: ['4.17.0 5.0.0 direct major'], edits: ['"express": "^5.0.0"'] }],
    });
  });

  test('is one upgrade for all that one direct dependency brings, of a version that brings all', async () => {
    const published = {
      express: {
        '4.17.0': { qs: '6.7.0', send: '0.17.1' },
        '4.18.0': { qs: '6.11.0', send: '0.17.1' },
        '4.19.0': { qs: '6.7.0', send: '0.18.0' },
        '4.20.0': { qs: '6.11.0', send: '0.18.0' },
      },
      qs: { '6.7.0': {}, '6.11.0': {} },
      send: { '0.17.1': {}, '0.18.0': {} },
    };
    const pinned = { ...web, asks: { 'express@4.17.0': '4.17.0' } };
    const { upgrades } = await planned(pinned, { qs: '6.11.0', send: '0.18.0' }, published);
    expect(upgrades).toMatchObject([
      { name: 'express', fixes: ['qs', 'send'], closes: 2, steps: ['4.17.0 4.20.0 direct minor'] },
    ]);
  });

  test('is overridden where nothing that brings it in is known to bring a good one', async () => {
    const published = {
      express: { '4.17.0': { qs: '6.7.0', send: '~0.17.1' }, '4.18.0': { qs: '6.7.0' } },
      qs: { '6.7.0': {}, '6.7.3': {} },
    };
    expect(await planned(web, { qs: '6.7.3' }, published)).toMatchObject({
      fates: { 'alert of qs': 'closed' },
      refreshed: null,
      upgrades: [{ name: 'qs', steps: ['6.7.0 6.7.3 override patch'], edits: ['overrides: "qs@<=6.7.3": "6.7.3"'] }],
    });
  });

  test('is asked for exactly where others are overridden, because npm refuses a range that takes what an override names', async () => {
    const two = {
      needs: { 'qs@6.7.1': {}, 'qs@6.7.0': {}, 'old@1.0.0': { 'qs@6.7.0': '6.7.0' } },
      asks: { 'qs@6.7.1': '~6.7.1', 'old@1.0.0': '1.0.0' },
    };
    const published = { qs: { '6.7.0': {}, '6.7.1': {}, '6.8.0': {} }, old: { '1.0.0': { qs: '6.7.0' } } };
    const { upgrades } = await planned(two, { qs: '6.8.0' }, published);
    expect(upgrades.flatMap(({ edits }) => edits).toSorted()).toEqual([
      '"qs": "6.8.0"',
      'overrides: "qs@<=6.8.0": "6.8.0"',
    ]);
  });

  test('is overridden where another dependent pins it, whatever the first one could do', async () => {
    const two = {
      needs: { ...web.needs, 'old@1.0.0': { 'send@0.17.1': '0.17.1' } },
      asks: { ...web.asks, 'old@1.0.0': '^1.0.0' },
    };
    const published = { send: { '0.17.1': {}, '0.17.2': {} }, old: { '1.0.0': { send: '0.17.1' } } };
    expect(await planned(two, { send: '0.17.2' }, published)).toMatchObject({
      fates: { 'alert of send': 'closed' },
      refreshed: null,
      upgrades: [{ name: 'send', steps: ['0.17.1 0.17.2 override patch'] }],
    });
  });

  test('is not refreshed where the project overrides it: that override moves', async () => {
    const published = { send: { '0.17.1': {}, '0.17.2': {}, '0.18.0': {} } };
    const overridden = (override: string) =>
      planned({ ...web, overrides: { send: override } }, { send: '0.17.2' }, published);
    const step = {
      ...{ steps: ['0.17.1 0.17.2 override patch'], name: 'send', fixes: expect.anything() },
      edits: ['overrides: "send": "0.17.2"'],
    };
    expect(await overridden('overrides: "send"')).toMatchObject({
      ...{ fates: { 'alert of send': 'closed' }, refreshed: null },
      upgrades: [{ ...step, closes: 1, mayClose: 0 }],
    });
    expect(await overridden('overrides.express: "send"')).toMatchObject({
      ...{ fates: { 'alert of send': 'unknown' }, refreshed: null },
      upgrades: [{ ...step, edits: ['overrides.express: "send": "0.17.2"'], closes: 0, mayClose: 1 }],
    });
  });

  test('is not brought by an upgrade where the project overrides it', async () => {
    const published = {
      express: { '4.17.0': { qs: '6.7.0', send: '~0.17.1' }, '5.0.0': { qs: '6.14.0' } },
      qs: { '6.7.0': {}, '6.14.0': {} },
    };
    const stack = { ...web, overrides: { qs: 'overrides: "qs"' } };
    expect(await planned(stack, { qs: '6.14.0' }, published)).toMatchObject({
      upgrades: [{ name: 'qs', steps: ['6.7.0 6.14.0 override minor'], edits: ['overrides: "qs": "6.14.0"'] }],
    });
  });

  test('is overridden where pnpm 11 has it only by a peer, which it does not renew', async () => {
    const published = {
      express: { '4.17.0': { qs: '6.7.0' } },
      send: { '0.17.1': { mime: '^1.0.0' } },
      mime: { '1.0.0': {}, '1.6.0': {} },
    };
    const stack = {
      ...{ needs: { ...web.needs, 'send@0.17.1': { 'mime@1.0.0': '^1.0.0' }, 'mime@1.0.0': {} }, asks: web.asks },
      source: 'shop:pnpm-lock.yaml',
    };
    const override = { refreshed: null, upgrades: [{ name: 'mime', edits: ['overrides: "mime@<1.6.0": "1.6.0"'] }] };
    const refresh = { refreshed: ['mime'], upgrades: [] };
    for (const [tool, plan] of [['pnpm@11.0.0', override] as const, ['pnpm@10.9.0', refresh] as const]) {
      expect(await planned({ ...stack, tool }, { mime: '1.6.0' }, published)).toMatchObject({
        ...{ fates: { 'alert of mime': 'closed' } },
        ...plan,
      });
    }
  });

  test('may close where a new version of another may bring anything, unless all have one version of it', async () => {
    const needs = { 'next@1.0.0': {}, 'qs@6.7.0': {} };
    const fates = async (source: string, published: Published = {}) =>
      (
        await planned(
          { needs, asks: { 'next@1.0.0': '1.0.0', 'qs@6.7.0': '6.7.0' }, source },
          { next: '1.1.0', qs: '6.8.0' },
          published,
        )
      ).fates;
    const listed = { next: { '1.0.0': {}, '1.1.0': {} } };
    expect(await fates('shop:package-lock.json')).toEqual({ 'alert of next': 'unknown', 'alert of qs': 'unknown' });
    expect(await fates('shop:package-lock.json', listed)).toEqual({
      'alert of next': 'unknown',
      'alert of qs': 'closed',
    });
    expect(await fates('shop:packages.lock.json')).toEqual({ 'alert of next': 'closed', 'alert of qs': 'closed' });
  });

  test('may close where Bun has packages from archives', async () => {
    const rows = rowsOf({
      needs: { 'qs@6.7.0': {}, 'in@1.0.0': {} },
      asks: { 'qs@6.7.0': '6.7.0' },
      source: 'shop:bun.lock',
    });
    const fates = async (bundled_in: string | null) => {
      const stack = rows.map((row) => (row.name === 'in' ? { ...row, bundled_in } : row));
      const resolver = createResolver(known({ qs: { '6.7.0': {}, '6.8.0': {} } }), new Map());
      const { packages } = await planProject([flawed('qs', '6.8.0', stack)], await graphOf(stack), resolver);
      return packages.flatMap((each) => [...each.fates.values()]);
    };
    expect(await fates(null)).toEqual(['closed']);
    expect(await fates('')).toEqual(['unknown']);
  });

  test('may close where npm resolves a peer anew that the manifest of an upgrade leaves to it', async () => {
    const published = { next: { '1.0.0': {}, '1.1.0': {} }, qs: { '6.7.0': {}, '6.8.0': {} } };
    const needs = { 'next@1.0.0': { 'react@18.0.0': '^18' }, 'react@18.0.0': {}, 'qs@6.7.0': {} };
    const fates = async (asks: Readonly<Record<string, string>>, source: string) =>
      (
        await planned(
          { needs, asks: { 'qs@6.7.0': '6.7.0', ...asks }, source },
          { next: '1.1.0', qs: '6.8.0' },
          published,
        )
      ).fates;
    const left = { 'next@1.0.0': '1.0.0' };
    const asked = { ...left, 'react@18.0.0': '18.0.0' };
    expect(await fates(left, 'shop:package-lock.json')).toEqual({
      'alert of next': 'unknown',
      'alert of qs': 'unknown',
    });
    expect(await fates(asked, 'shop:package-lock.json')).toMatchObject({ 'alert of next': 'closed' });
    expect(await fates(left, 'shop:pnpm-lock.yaml')).toMatchObject({ 'alert of next': 'closed' });
  });

  test('may stay where an upgrade of another package would change what the project overrides', async () => {
    const published = {
      express: { '4.17.0': { qs: '6.7.0', send: '~0.17.1' }, '4.18.0': { qs: '6.7.0', send: '~0.18.0' } },
      qs: { '6.7.0': {} },
      send: { '0.17.1': {}, '0.18.0': {} },
    };
    const stack = { ...web, overrides: { send: 'overrides.other: "send"' } };
    expect(await planned(stack, { express: '4.18.0', send: '0.18.0' }, published)).toMatchObject({
      fates: { 'alert of express': 'closed', 'alert of send': 'unknown' },
    });
  });

  test('may close by a refresh where the registry was not asked', async () => {
    expect(await planned(web, { send: '0.17.2' })).toEqual({
      fates: { 'alert of send': 'unknown' },
      refreshed: ['send'],
      upgrades: [],
      stays: [],
    });
  });

  test('closes where what brings it in no longer does', async () => {
    const published = { express: { '4.17.0': { qs: '6.7.0', send: '~0.17.1' }, '4.18.0': {} }, qs: { '6.7.0': {} } };
    expect(await planned(web, { qs: '7.0.0' }, published)).toMatchObject({
      fates: { 'alert of qs': 'closed' },
      refreshed: ['express', 'qs'],
    });
  });

  test('needs no override where what asked for it is gone', async () => {
    const chain = {
      needs: { 'old@1.0.0': { 'mid@1.0.0': '1.0.0' }, 'mid@1.0.0': { 'deep@1.0.0': '1.0.0' }, 'deep@1.0.0': {} },
      asks: { 'old@1.0.0': '1.0.0' },
    };
    const published = {
      old: { '1.0.0': { mid: '1.0.0' } },
      mid: { '1.0.0': { deep: '1.0.0' }, '2.0.0': {} },
      deep: { '1.0.0': {}, '1.0.1': {} },
    };
    expect(await planned(chain, { mid: '2.0.0', deep: '1.0.1' }, published)).toMatchObject({
      fates: { 'alert of mid': 'closed', 'alert of deep': 'closed' },
      upgrades: [{ name: 'mid', steps: ['1.0.0 2.0.0 override major'] }],
    });
  });

  test('goes in circles to the end', async () => {
    const circle = {
      needs: { 'a@1.0.0': { 'b@1.0.0': '^1.0.0' }, 'b@1.0.0': { 'a@1.0.0': '^1.0.0' } },
      asks: { 'a@1.0.0': '^1.0.0' },
    };
    const published = { a: { '1.0.0': { b: '^1.0.0' } }, b: { '1.0.0': { a: '^1.0.0' }, '1.0.1': { a: '^1.0.0' } } };
    expect((await planned(circle, { b: '1.0.1' }, published)).fates).toEqual({ 'alert of b': 'closed' });
  });

  test('of Yarn 1 is not refreshed, since it has no command for that', async () => {
    const published = { send: { '0.17.1': {}, '0.17.2': {} } };
    const yarn = { ...web, source: 'shop:yarn.lock' };
    expect(await planned(yarn, { send: '0.17.2' }, published)).toMatchObject({
      refreshed: null,
      upgrades: [{ name: 'send', steps: ['0.17.1 0.17.2 override patch'] }],
    });
  });
});
