import { describe, expect, test } from 'vitest';
import type { Asking } from '../../../src/service/remediation/edit-rules.js';
import type { Place } from '../../../src/service/remediation/edits.js';
import { commandsFor, entriesToDelete } from '../../../src/service/remediation/refresh.js';

const place = (file: string, tool: string | null, given: Partial<Place> = {}): Place => ({
  ...{ source: `github.com/acme/shop:web/${file}`, ecosystem: 'npm', package_name: 'deep', name: 'deep' },
  ...{ version: '1.2.0', direct: false, needed: true, bundled_in: null, asked_by: null, tool },
  ...given,
});

const askings: readonly Asking[] = [
  { name: 'express', range: '~1.2.0', gets: '1.2.0' },
  { name: 'send', range: '^1.0.0', gets: '1.2.0' },
  { name: 'old', range: '^0.4.0', gets: '0.4.0' },
];

const packages = [
  { name: 'deep', isAsked: false, isEdited: false },
  { name: '@acme/ui', isAsked: true, isEdited: false },
  { name: 'deep', isAsked: false, isEdited: false },
  { name: '; rm -rf /', isAsked: false, isEdited: false },
];

describe('a refresh within the ranges', () => {
  test.each<[file: string, tool: string | null, isWorkspace: boolean, commands: readonly string[]]>([
    ['package-lock.json', null, true, ['npm install', 'npm update deep @acme/ui']],
    ['npm-shrinkwrap.json', null, false, ['npm install', 'npm update deep @acme/ui']],
    ['pnpm-lock.yaml', 'pnpm@11.2.0', true, ['pnpm install', 'pnpm update --no-save -r deep @acme/ui']],
    ['pnpm-lock.yaml', 'pnpm@11.2.0', false, ['pnpm install', 'pnpm update --no-save deep @acme/ui']],
    [
      'pnpm-lock.yaml',
      'pnpm@10.34.9',
      true,
      ['pnpm install', 'pnpm update --no-save -r @acme/ui', 'pnpm update --no-save -r deep'],
    ],
    ['pnpm-lock.yaml', null, false, ['pnpm install', 'pnpm update --no-save @acme/ui', 'pnpm update --no-save deep']],
    ['yarn.lock', 'yarn@4.5.0', true, ['yarn install', 'yarn up -R deep @acme/ui']],
    ['yarn.lock', 'yarn@1.22.22', true, ['yarn install']],
    ['yarn.lock', null, true, ['yarn install']],
    ['bun.lock', 'bun@1.4.0', true, ['bun install', 'bun update -r deep @acme/ui']],
    ['bun.lock', 'bun@1.3.14', true, ['bun install']],
  ])('of %s by %s, with workspaces: %s, runs these commands', (file, tool, isWorkspace, commands) => {
    const source = `github.com/acme/shop:web/${file}`;
    expect(commandsFor({ source, tool, isWorkspace, isEdited: true, packages })).toEqual(commands);
    expect(commandsFor({ source, tool, isWorkspace, isEdited: false, packages })).toEqual(commands.slice(1));
  });

  test.each([
    ['Cargo.lock', 'cargo update deep @acme/ui'],
    ['poetry.lock', 'poetry update deep @acme/ui'],
    ['uv.lock', 'uv lock --upgrade-package deep --upgrade-package @acme/ui'],
    ['Gemfile.lock', 'bundle update --conservative deep @acme/ui'],
    ['composer.lock', 'composer update deep @acme/ui'],
  ])('of %s is one command, which also makes the lock file follow', (file, command) => {
    const source = `github.com/acme/shop:${file}`;
    expect(commandsFor({ source, tool: null, isWorkspace: false, isEdited: true, packages })).toEqual([command]);
  });

  test('asks npm by name for what is edited, and pnpm, which follows by itself, not', () => {
    const edited = [{ name: 'deep', isAsked: false, isEdited: true }];
    const followed = { tool: 'pnpm@11.0.0', isWorkspace: false, isEdited: true, packages: edited };
    expect(commandsFor({ ...followed, source: 'shop:package-lock.json' })).toEqual(['npm install', 'npm update deep']);
    expect(commandsFor({ ...followed, source: 'shop:pnpm-lock.yaml' })).toEqual(['pnpm install']);
  });

  test.each([
    ['package-lock.json', null],
    ['pnpm-lock.yaml', 'pnpm@10.34.9'],
    ['yarn.lock', 'yarn@3.8.7'],
    ['bun.lock', 'bun@1.4.5'],
  ])('of %s by %s needs no edit', (file, tool) => {
    expect(entriesToDelete(place(file, tool), [place(file, tool)], askings)).toEqual([]);
  });

  test('of Yarn 1 deletes the entries of the ranges that ask for the version', () => {
    expect(entriesToDelete(place('yarn.lock', 'yarn@1.22.22'), [], askings)).toEqual(['deep@^1.0.0', 'deep@~1.2.0']);
    const direct = place('yarn.lock', 'yarn@1', {
      direct: true,
      asked_by: [{ file: 'package.json', range: '^1.1.0' }],
    });
    expect(entriesToDelete(direct, [], [])).toEqual(['deep@^1.1.0']);
  });

  const unknownRange: readonly Asking[] = [{ name: 'a', range: null, gets: '1.2.0' }];
  test.each<[why: string, place: Place, known: readonly Asking[]]>([
    ['Yarn 1, where a range is not known', place('yarn.lock', 'yarn@1'), unknownRange],
    ['Yarn 1, where it is not known who asks', place('yarn.lock', 'yarn@1'), []],
    ['Yarn 1, where a workspace may ask', place('yarn.lock', 'yarn@1', { direct: null }), askings],
    ['Yarn 1, where the range of a manifest is not known', place('yarn.lock', 'yarn@1', { direct: true }), askings],
    ['a Yarn of unknown version', place('yarn.lock', null), askings],
    ['an older Bun', place('bun.lock', 'bun@1.3.14'), askings],
    ['a tool without a command', place('pom.xml', null), askings],
    ['a name that is no word of a shell', place('package-lock.json', null, { name: '$(id)' }), askings],
  ])('is not known for %s', (_why, given, known) => {
    expect(entriesToDelete(given, [given], known)).toBeNull();
  });

  test('of pnpm before 11 does not reach what others bring in where a manifest asks for another version', () => {
    const asked = { direct: true, version: '2.0.0' };
    const both = (tool: string) => {
      const deep = place('pnpm-lock.yaml', tool);
      return entriesToDelete(deep, [deep, place('pnpm-lock.yaml', tool, asked)], askings);
    };
    expect(both('pnpm@10.34.9')).toBeNull();
    expect(both('pnpm@11.0.0')).toEqual([]);
  });
});
