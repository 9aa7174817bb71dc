import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BareMachine, bareMachine } from './support/documented/bare-machine.js';
import { bare, commandsIn, documentedCommands, firstLine } from './support/documented/commands.js';
import { type LoopbackRegistry, startLoopbackRegistry } from './support/documented/loopback-registry.js';
import { install, notRun, runnable, servers, ways } from './support/documented/ways.js';

const commands = documentedCommands();

test('each command of the documents is run by a test, or is on the list of those that are not', () => {
  const run = new Set<string>([...ways.map(({ first }) => first), ...servers, install]);
  const known = (text: string) => run.has(firstLine(text)) || runnable(text).trim() === '';
  expect(commands.filter(({ text }) => !known(text)).map(({ page, text }) => `${page}: ${text}`)).toEqual([]);
  const present = new Set(commands.flatMap(({ text }) => [firstLine(text), ...text.split('\n').map(bare)]));
  expect([...run, ...Object.keys(notRun)].filter((text) => !present.has(text))).toEqual([]);
});

test.each([
  ['```sh\nreach dance\n```\n', 'reach dance'],
  ['```console\nreach dance\n```\n', 'reach dance'],
  ['as `reach dance` does\n', 'reach dance'],
  ['as `PORT=1 npm run dance` does\n', 'PORT=1 npm run dance'],
])('this test sees the command in %j', (text, command) => {
  expect(commandsIn('a.md', text)).toMatchObject([{ page: 'a.md', text: command }]);
});

describe('the machine on which they are run', () => {
  let registry: LoopbackRegistry;
  let machine: BareMachine;
  beforeAll(async () => {
    registry = await startLoopbackRegistry();
    machine = await bareMachine(registry.url);
  });
  afterAll(async () => {
    await machine?.close();
    await registry?.close();
  });

  test('sees each name that npm asks for, and gets no package of a stranger', async () => {
    const { exitCode, output } = await machine.run('npx --yes reach --help', await machine.folder());
    expect(exitCode).not.toBe(0);
    expect(output).toContain('404');
    expect(registry.strangers()).toEqual(['reach']);
  });

  test('has Node, and nothing else of this machine', async () => {
    const folder = await machine.folder();
    expect(await machine.run('node --version', folder)).toEqual({ exitCode: 0, output: `${process.version}\n` });
    expect((await machine.run('reach --help || git --version', folder)).exitCode).toBe(127);
  });
});
