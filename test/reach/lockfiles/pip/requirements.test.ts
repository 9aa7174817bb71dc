import { describe, expect, test } from 'vitest';
import { byKey, found, readFrom } from '../reading.js';

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
      { reason: 'is not pinned to one version with ==', count: 3 },
      { reason: 'comes from a URL or a folder, without a version of its ecosystem', count: 3 },
      { reason: 'is an include of a file that is not in the folder', count: 1 },
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
});
