import { describe, expect, test } from 'vitest';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { selectWorkspace, WorkspaceError } from '../../../src/reach/analysis/workspaces.js';
import { folderWith } from '../folder.js';

const manifest = (name: string, dependencies: string[] = []) =>
  JSON.stringify({ name, dependencies: Object.fromEntries(dependencies.map((each) => [each, 'workspace:*'])) });

const files = {
  'package.json': manifest('root'),
  'packages/api/package.json': manifest('@acme/api', ['@acme/core', 'express']),
  'packages/api/src/a.ts': '',
  'packages/core/package.json': manifest('@acme/core', ['@acme/log']),
  'packages/core/b.ts': '',
  'packages/log/package.json': manifest('@acme/log', ['@acme/core']),
  'packages/web/package.json': manifest('@acme/web', ['@acme/log']),
  'packages/broken/package.json': '{',
};

const select = async (asked: string) => selectWorkspace(await walkTree(folderWith(files)), asked);

describe('a workspace', () => {
  test.each(['@acme/api', 'packages/api', './packages/api/', 'packages/api/'])('asked for as %s', async (asked) => {
    const isSelected = await select(asked);
    expect(isSelected('packages/api/src/a.ts')).toBe(true);
    expect(isSelected('packages/web/x.ts')).toBe(false);
    expect(isSelected('packages/api-two/x.ts')).toBe(false);
    expect(isSelected('tools/x.ts')).toBe(false);
  });

  test('is its files and those of the packages of the tree that it depends on, over any number of steps', async () => {
    const isSelected = await select('@acme/api');
    expect(isSelected('packages/core/b.ts')).toBe(true);
    expect(isSelected('packages/log/c.ts')).toBe(true);
  });

  test('that is not there is told of, with those that are', async () => {
    await expect(select('@acme/none')).rejects.toThrow(WorkspaceError);
    await expect(select('../outside')).rejects.toThrow(
      '--workspace ../outside is neither a package nor a folder of the tree; its packages are root, @acme/api, @acme/core, @acme/log, @acme/web',
    );
  });
});
