import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLockfile } from '../../../../src/reach/lockfiles/lockfile.js';
import { folderWith } from '../../folder.js';
import { byKey, found, readFrom, scopes } from '../reading.js';

describe('requirements.txt', () => {
  test('takes what is pinned, also from files that it includes, and tells what it passes over', async () => {
    const read = await readFrom({
      'requirements.txt': [
        '\uFEFF# requirements',
        '--index-url https://token@example.org/simple',
        'Flask[async] == 3.0.0 ; python_version > "3"  # a note',
        'werkzeug===3.0.1 \\',
        '    --hash=sha256:abc \\',
        '    --hash=sha256:def',
        'requests>=2',
        'bare',
        'wild==1.*',
        'here @ https://example.org/here.whl',
        '-e .',
        'git+https://example.org/x.git',
        '-r more/base.txt',
        '-r ../outside.txt',
      ].join('\r\n'),
      'more/base.txt': '-r ../requirements.txt\n-r base.txt\n-c limits.txt\nattrs==23.1.0',
      'more/limits.txt': 'attrs==1.0',
    });
    expect(byKey(read)).toEqual({
      'flask@3.0.0': { name: 'Flask', ...found('3.0.0', 'runtime', true) },
      'werkzeug@3.0.1': { name: 'werkzeug', ...found('3.0.1', 'runtime', true) },
      'attrs@23.1.0': { name: 'attrs', ...found('23.1.0', 'runtime', true) },
    });
    expect(read.skipped).toEqual([
      { reason: 'comes from a URL', count: 1 },
      { reason: 'is a folder of the project', count: 1 },
      { reason: 'comes from Git', count: 1 },
      { reason: 'is an included file that is not there', count: 1 },
      { reason: 'is a range, not one version', count: 3 },
    ]);
    expect(read.unread).toMatchObject([
      { ecosystem: 'PyPI', name: 'here', reason: 'url', stated: 'https://example.org/here.whl' },
      // The repository may hold a package of another name.
      { name: null, reason: 'git', stated: 'git+https://example.org/x.git' },
      { name: null, reason: 'missing_file', stated: '../outside.txt' },
      { reason: 'range', at: expect.stringMatching(/^line \d+$/) },
      { reason: 'range' },
      { reason: 'range' },
      { name: null, reason: 'direct_only' },
    ]);
  });

  test('an address names the package by its fragment or its archive, and limits that are missing install nothing', async () => {
    const text =
      'git+https://example.org/x.git#egg=django\n./wheels/Flask-3.0.0-py3-none-any.whl\n-e ./libs/ours\n-c gone.txt\n';
    expect((await readFrom({ 'requirements.txt': text })).unread).toMatchObject([
      { name: 'django', reason: 'git' },
      { name: 'Flask', reason: 'path' },
      { name: null, reason: 'path', stated: './libs/ours' },
      { reason: 'direct_only' },
    ]);
  });

  test('notes of pip-compile tell what is direct, and what depends on what', async () => {
    const read = await readFrom({
      'requirements.txt': [
        'flask==3.0.0',
        '    # via -r requirements.in',
        'click==8.1.7  # via flask',
        'markupsafe==2.1.3 \\',
        '    --hash=sha256:abc',
        '    # via',
        '    #   jinja2',
        '    #   flask',
        'jinja2==3.1.2',
        '    # via flask',
      ].join('\n'),
    });
    expect(byKey(read)).toEqual({
      'flask@3.0.0': {
        name: 'flask',
        ...found('3.0.0', 'runtime', true, ['click@8.1.7', 'markupsafe@2.1.3', 'jinja2@3.1.2']),
      },
      'click@8.1.7': { name: 'click', ...found('8.1.7', 'runtime', false) },
      'markupsafe@2.1.3': { name: 'markupsafe', ...found('2.1.3', 'runtime', false) },
      'jinja2@3.1.2': { name: 'jinja2', ...found('3.1.2', 'runtime', false, ['markupsafe@2.1.3']) },
    });
  });

  test('a line that is no requirement is told', async () => {
    await expect(readFrom({ 'requirements.txt': 'flask==1.0\n<html>' })).rejects.toThrow(
      'line 2: expected a requirement such as `flask==3.0.0`, an option or a comment',
    );
  });

  test('a constraints file pins what the requirements leave open, and adds nothing', async () => {
    const read = await readFrom({
      'requirements.txt': '-c limits.txt\n--constraint=more.txt\nFlask>=2\nattrs==23.1.0\nfree',
      'limits.txt': 'flask==3.0.0\nattrs==1.0\nunused==9.9\n-c limits.txt\n-r more.txt',
      'more.txt': 'also-unused==1.0',
    });
    expect(Object.keys(byKey(read))).toEqual(['flask@3.0.0', 'attrs@23.1.0']);
    expect(read.skipped).toEqual([{ reason: 'is a range, not one version', count: 1 }]);
  });

  test.each([
    ['requirements-dev.txt', 'development'],
    ['requirements_test.txt', 'development'],
    ['dev-requirements.txt', 'development'],
    ['requirements/local.txt', 'development'],
    ['requirements/docs-build.txt', 'development'],
    ['requirements.lint.txt', 'development'],
    ['requirements-prod.txt', 'runtime'],
    ['requirements/base.txt', 'runtime'],
    ['requirements/testing-and-production.txt', 'runtime'],
    ['requirements-devices.txt', 'runtime'],
    ['gpu-requirements.txt', 'runtime'],
  ])('%s is one too, of scope %s', async (name, scope) => {
    expect(scopes(await readFrom({ [name]: 'a==1.0' }))).toEqual({ 'a@1.0': scope });
  });

  test('one for development that includes one for production keeps the scopes apart, the other way round does not', async () => {
    const files = { 'requirements-dev.txt': '-r requirements.txt\npytest==8.0', 'requirements.txt': 'flask==3.0.0' };
    expect(scopes(await readFrom(files))).toEqual({ 'pytest@8.0': 'development', 'flask@3.0.0': 'runtime' });
    const round = {
      'requirements.txt': '-r requirements-dev.txt',
      'requirements-dev.txt': '-r requirements.txt\npytest==8.0',
    };
    expect(scopes(await readFrom(round))).toEqual({ 'pytest@8.0': 'runtime' });
  });

  test('a constraints file alone is none', async () => {
    for (const name of ['constraints.txt', 'requirements/constraints.txt', 'requirements-constraints.txt']) {
      await expect(readFrom({ [name]: 'a==1.0' })).rejects.toThrow(
        'limits versions, but does not list what is installed',
      );
    }
  });

  test('text in UTF-16 is read, as PowerShell writes it', async () => {
    for (const [mark, bytes] of [
      ['fffe', Buffer.from('flask==3.0.0\r\n', 'utf16le')],
      ['feff', Buffer.from('flask==3.0.0\r\n', 'utf16le').swap16()],
    ] as const) {
      const folder = folderWith({ 'requirements.txt': Buffer.concat([Buffer.from(mark, 'hex'), bytes]) });
      expect(scopes(await readLockfile(join(folder, 'requirements.txt')))).toEqual({ 'flask@3.0.0': 'runtime' });
    }
  });
});
