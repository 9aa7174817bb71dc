import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { packageArchive } from '../../src/gateway/download/package-archive.js';
import { agents } from '../../src/web/pages/connect/agents.js';
import { documented, pages, textOf } from '../support/documented/commands.js';
import { configurationsIn, filledIn, toldToClaude, toolsBy } from '../support/documented/mcp-configurations.js';
import { type Newcomer, newcomer } from '../support/documented/newcomer.js';
import { claudeCode, install, runnable, servers, ways, withPlaces } from '../support/documented/ways.js';

let reader: Newcomer;
beforeAll(async () => {
  reader = await newcomer();
});
afterAll(() => reader?.close());

test(`${install} installs the programs, which run by their names`, async () => {
  const { machine, installed } = reader;
  expect(installed, installed.output).toMatchObject({ exitCode: 0 });
  expect(installed.output).toContain('Usage: reach');
  const [, added] = /added (\d+) packages/.exec(installed.output) ?? [];
  expect(Number(added)).toBeGreaterThan(20);
  process.stdout.write(`  installed ${added} packages, and ran one, in ${installed.milliseconds} ms\n`);
  for (const name of Object.keys(manifest.bin))
    expect(await machine.run(`${name} --version`, await machine.folder())).toEqual({
      ...{ exitCode: 0, output: `${manifest.version}\n` },
    });
});

describe('as a reader pastes it', () => {
  test.each(ways.map((way) => [way.first, way] as const))('%s', async (first, way) => {
    const { machine, places, folders } = reader;
    const cwd = way.place === 'empty' ? await machine.folder() : folders[way.place];
    const script = withPlaces(runnable(documented(first)), places);
    const ran = await machine.run(script, cwd, {
      // The usual port, which others may have.
      ...(way.place === 'project' ? { SERVICE_API_URL: places.url } : { PORT: new URL(places.url).port }),
      ...(way.withKey && { SERVICE_API_KEY: places.writeKey }),
    });
    expect(ran, ran.output).toMatchObject({ exitCode: 0 });
    for (const part of way.shows) expect(ran.output).toMatch(part);
  });

  test(servers[1], async () => {
    const { machine, places, folders } = reader;
    const started = machine.start(withPlaces(documented(servers[1]), places), folders.clone, { PORT: '0' });
    const url = await started.ready();
    const headers = { authorization: `Bearer ${places.writeKey}` };
    expect((await fetch(`${url}/trpc/organisation.get`, { headers })).status).toBe(200);
    expect(started.output()).toContain(`Service     ${places.url}`);
    await started.stop();
  });
});

describe('the package that a server hands out', () => {
  const archive = () => `${reader.places.url}/download/postern.tgz`;

  test('in the clone has programs that a shell can run, also after the second start', async () => {
    const { machine, folders } = reader;
    for (const file of Object.values(manifest.bin)) {
      expect([file, (await stat(path.join(folders.clone, file))).mode & 0o111]).toEqual([file, 0o111]);
      expect((await machine.run(`./${file} --version`, folders.clone)).output).toBe(`${manifest.version}\n`);
    }
  });

  test.each(Object.keys(manifest.bin))('has %s for npx', async (name) => {
    const { machine } = reader;
    const ran = await machine.run(`npx --yes --package ${archive()} ${name} --version`, await machine.folder());
    expect(ran, ran.output).toMatchObject({ exitCode: 0, output: expect.stringContaining(manifest.version) });
  });

  test('adds the client to a project, and hands out the same bytes from there: no copy of a copy differs', async () => {
    const { machine } = reader;
    const folder = await machine.folder();
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(
      path.join(folder, 'index.js'),
      `import { createPosternClient } from '${manifest.name}/client'; console.log(typeof createPosternClient);`,
    );
    const ran = await machine.run(`npm install ${archive()} && node index.js`, folder);
    expect(ran, ran.output).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^function$/m) });
    const installed = path.join(folder, 'node_modules', manifest.name);
    await stat(path.join(installed, 'dist/client.d.ts'));
    const handedOut = Buffer.from(await (await fetch(archive())).arrayBuffer());
    expect((await packageArchive(installed)).bytes.equals(handedOut)).toBe(true);
    process.stdout.write(`  the package is ${Math.round(handedOut.length / 1_000)} kB\n`);
  });
});

describe('the configuration of an MCP client', () => {
  const filled = (text: string) => filledIn(text, reader.places.readKey, reader.places.url);

  test.each([
    ['docs/agents.md', 3],
    ['README.md', 0],
  ])('in %s works as it stands (%i of them)', async (page, count) => {
    const entries = configurationsIn(filled(textOf(page)));
    expect(entries).toHaveLength(count);
    for (const entry of entries) expect(await toolsBy(entry, reader.machine)).toBe(41);
  });

  test('is in no other document', () => {
    expect(pages.filter((page) => configurationsIn(textOf(page)).length > 0)).toEqual(['docs/agents.md']);
  });

  test('that a start prints works from any folder, from a clone and from the installed package', async () => {
    const { built, packaged, places } = reader;
    for (const output of [built.output.replaceAll(built.url, places.url), packaged.output()]) {
      const printed = configurationsIn(filled(output));
      expect(printed.map((entry) => 'url' in entry)).toEqual([true, false]);
      for (const entry of printed) expect(await toolsBy(entry, reader.machine)).toBe(41);
    }
  });

  test.each(Object.entries(agents))('that the dashboard has for %s works', async (_id, { configure }) => {
    const { machine, places } = reader;
    for (const key of [places.readKey, null]) {
      const { text } = configure({ origin: places.url, key });
      const [entry] = text.startsWith('claude ')
        ? [await toldToClaude(text, places.readKey, machine)]
        : configurationsIn(filled(text));
      expect(entry && (await toolsBy(entry, machine))).toBe(41);
    }
  });

  test('that Claude Code is told by the guide works', async () => {
    const entry = await toldToClaude(filled(documented(claudeCode)), reader.places.readKey, reader.machine);
    expect(await toolsBy(entry, reader.machine)).toBe(41);
  });
});

test('npm asks for packages that Postern depends on, and for no other name', () => {
  expect(reader.registry.asked.size).toBeGreaterThan(20);
  expect(reader.registry.strangers()).toEqual([]);
});
