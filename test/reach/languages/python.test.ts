import { describe, expect, test } from 'vitest';
import { pythonReader } from '../../../src/reach/languages/python/reader.js';
import { analyze as analyzeWith, places, symbols } from './analyzing.js';

const analyze = (packages: readonly string[], files: Readonly<Record<string, string>>, entries?: readonly string[]) =>
  analyzeWith(pythonReader, 'PyPI', packages, files, entries);

const quotes = '"""';

describe('imports', () => {
  test('of every form, each at its place', async () => {
    const found = await analyze(['PyYAML', 'requests', 'Pillow', 'numpy', 'Django', 'attrs', 'tqdm'], {
      'a.py': [
        'import yaml, requests as r',
        'from PIL import (Image,  # the class',
        '    ImageDraw)',
        'import numpy.linalg, \\',
        '    attr',
        'def f():',
        '    try: from django.utils.text import slugify as s',
        '    except ImportError: import tqdm; tqdm.tqdm()',
      ].join('\r\n'),
    });
    expect(places(found)).toEqual([
      'PyYAML a.py:1:8 prod',
      'requests a.py:1:14 prod',
      'Pillow a.py:2:1 prod',
      'numpy a.py:4:8 prod',
      'attrs a.py:5:5 prod',
      'Django a.py:7:10 prod',
      'tqdm a.py:8:32 prod',
    ]);
    expect(found.uses.map(({ site }) => site.subpath)).toEqual([null, null, null, 'linalg', null, 'utils.text', null]);
    expect(found).toMatchObject({ files: 1, parseErrors: 0, unresolved: 0, unknownDynamic: 0 });
  });

  test('strings, comments and documentation are none', async () => {
    const found = await analyze(['requests', 'yaml-x'], {
      'a.py': [
        `${quotes}Use it so:`,
        'import requests',
        quotes,
        '# import requests',
        "text = '\\",
        "import requests'",
        `other = rb'''`,
        'import requests',
        "'''",
        `nested = f"{'import requests'!r:>{10}} {{import}} {d["import requests"]}"`,
        `long = f${quotes}`,
        'import requests',
        '{value}',
        quotes,
        'x = [',
        'yes',
        ']',
        'important = from_requests = 1',
      ].join('\n'),
    });
    expect(places(found)).toEqual([]);
    expect(found.parseErrors).toBe(0);
  });

  test('for type checkers alone, by name, and computed', async () => {
    const found = await analyze(['requests', 'flask', 'redis', 'celery', 'rich'], {
      'a.py': [
        'import typing as t',
        'if t.TYPE_CHECKING:',
        '    import requests',
        '',
        '    from flask import Flask',
        'else:',
        '    import redis',
        "importlib.import_module('celery.app')",
        "__import__('rich')",
        "import_module('rich' + suffix)",
        '__import__(name)',
      ].join('\n'),
    });
    expect(places(found)).toEqual([
      'requests a.py:3:12 prod types',
      'flask a.py:5:5 prod types',
      'redis a.py:7:12 prod',
      'celery a.py:8:25 prod dynamic',
      'rich a.py:9:12 prod dynamic',
    ]);
    expect(found.unknownDynamic).toBe(2);
  });

  test('a package that settings of Django list is loaded', async () => {
    const found = await analyze(['whitenoise', 'djangorestframework'], {
      'settings.py': "APPS = ['rest_framework', 'other']\nMIDDLEWARE = ['whitenoise.middleware.WhiteNoise']\n",
    });
    expect(places(found)).toEqual([
      'djangorestframework settings.py:1:9 prod dynamic',
      'whitenoise settings.py:2:15 prod dynamic',
    ]);
    expect(found.unresolved).toBe(0);
  });
});

describe('symbols', () => {
  test('are what is imported by name, and attributes of modules, also within f-strings', async () => {
    const found = await analyze(['PyYAML', 'Django', 'requests', 'jinja2'], {
      'a.py': [
        'import yaml',
        'import django.utils.text as text, requests',
        'from jinja2 import Environment as E, sandbox',
        "print(f'{yaml.load(stream)} yaml.dump')",
        'text.Truncator(x).chars()',
        'sandbox.SandboxedEnvironment()',
        'with_session(requests)',
        'other.yaml.nothing()',
      ].join('\n'),
    });
    expect(symbols(found, 'PyYAML')).toEqual(['load']);
    expect(symbols(found, 'Django')).toEqual(['utils.text.Truncator']);
    expect(symbols(found, 'jinja2')).toEqual(['Environment', 'sandbox', 'sandbox.SandboxedEnvironment']);
    expect(found.uses.map(({ packageName, site }) => [packageName, site.symbolsComplete])).toEqual([
      ['PyYAML', true],
      ['Django', true],
      // It is passed on.
      ['requests', false],
      ['jinja2', true],
    ]);
  });

  test('a star hides them', async () => {
    const found = await analyze(['flask'], { 'a.py': 'from flask import *' });
    expect(found.uses[0]?.site).toMatchObject({ symbols: [], symbolsComplete: false });
  });
});

describe('packages', () => {
  test.each([
    ['google.cloud.storage', 'google-cloud-storage'],
    ['google.protobuf.message', 'protobuf'],
    ['azure.storage.blob', 'azure-storage-blob'],
    ['dateutil.parser', 'python-dateutil'],
    ['sklearn', 'scikit-learn'],
    ['cv2', 'opencv-python-headless'],
    ['jwt', 'PyJWT'],
    ['ruamel.yaml', 'ruamel.yaml'],
    ['flask_login', 'Flask-Login'],
    ['MySQLdb', 'mysqlclient'],
    ['pkg_resources', 'setuptools'],
    ['nmap', 'python-nmap'],
    // The hyphens of the package are in other places than those of its module.
    ['zxingcpp', 'zxing-cpp'],
    ['django_softdelete', 'django-soft-delete'],
    ['paste.deploy', 'PasteDeploy'],
    // From Debian's index.
    ['strawberry', 'strawberry-graphql'],
    ['pwiz', 'peewee'],
    ['borg.archiver', 'borgbackup'],
    // The parts behind a shared beginning name the package.
    ['opentelemetry.exporter.otlp.proto.grpc.trace_exporter', 'opentelemetry-exporter-otlp-proto-grpc'],
    ['google.cloud.secretmanager_v1', 'google-cloud-secret-manager'],
    ['airflow.providers.amazon.aws', 'apache-airflow-providers-amazon'],
    ['zope.event', 'zope.event'],
    ['softdelete', 'django-softdelete'],
    ['rest_framework_recursive.fields', 'djangorestframework-recursive'],
    ['hubspot', 'hubspot-api-client'],
  ])('%s comes from %s', async (module, name) => {
    const found = await analyze([name, 'unrelated'], { 'a.py': `import ${module}` });
    expect(found.uses.map(({ packageName }) => packageName)).toEqual([name]);
  });

  test('a member may be the package', async () => {
    const found = await analyze(['google-cloud-storage', 'google-auth'], {
      'a.py': 'from google.cloud import storage',
    });
    expect(found.uses.map(({ packageName }) => packageName)).toEqual(['google-cloud-storage']);
  });

  test('what is neither of the project, nor known, nor of Python is unresolved', async () => {
    const found = await analyze([], { 'a.py': 'import os.path, own.b, missing\nfrom . import x', 'own/b.py': '' });
    expect(found.unresolved).toBe(1);
  });
});

describe('reach and roles', () => {
  const files = {
    'manage.py': "import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'site1.settings')\n",
    'site1/__init__.py': 'import attr',
    'site1/settings.py': 'import environ\nfrom .local import *',
    'site1/local.py': 'import redis',
    'site1/unused.py': 'import flask',
    'tests/test_a.py': 'import flask, pytest',
    'scripts/load.py': 'import requests\nif __name__ == "__main__": main()',
    'setup.py': 'import setuptools',
  };
  const packages = ['attrs', 'django-environ', 'redis', 'flask', 'pytest', 'requests', 'setuptools'];

  test('go from the entry over imports and modules named in strings', async () => {
    const found = await analyze(packages, files);
    expect(places(found)).toEqual([
      'requests scripts/load.py:1:8 script',
      'setuptools setup.py:1:8 config',
      'attrs site1/__init__.py:1:8 prod reached',
      'redis site1/local.py:1:8 prod reached',
      'django-environ site1/settings.py:1:8 prod reached',
      'flask site1/unused.py:1:8 prod',
      'flask tests/test_a.py:1:8 test',
      'pytest tests/test_a.py:1:15 test',
    ]);
    expect(found.entries).toEqual([{ file: 'manage.py', why: 'Django’s manage.py' }]);
  });

  test('an entry that is given replaces the conventions', async () => {
    const found = await analyze(packages, files, ['site1/unused.py', 'no-such-file.py']);
    expect(found.entries).toEqual([{ file: 'site1/unused.py', why: 'given' }]);
    expect(places(found)).toContain('flask site1/unused.py:1:8 prod reached');
    expect(places(found)).toContain('redis site1/local.py:1:8 prod');
  });

  test('commands of pyproject.toml are entries; a broken one is no matter', async () => {
    const found = await analyze(['click'], {
      'pyproject.toml': '[project.scripts]\ntool = "tool.cli:main"\n[tool]\npoetry = 1\n',
      'src/tool/cli.py': 'from tool import commands',
      'src/tool/commands/__init__.py': 'import click',
      'other/pyproject.toml': '[project',
    });
    expect(places(found)).toEqual(['click src/tool/commands/__init__.py:1:8 prod reached']);
    expect(found.entries).toEqual([{ file: 'src/tool/cli.py', why: 'a command of pyproject.toml' }]);
  });

  test('a file of the project with a package’s name does not hide the use', async () => {
    const before = await analyze(['redis'], { 'a.py': 'import redis' });
    const after = await analyze(['redis'], { 'a.py': 'import redis', 'redis.py': '', 'redis/__init__.py': '' });
    expect(places(after)).toEqual(places(before));
  });
});

describe('hostile text', () => {
  const deep = 100_000;
  test.each([
    ['an unterminated string', "x = 'abc\nimport redis\n", 1],
    ['an unterminated long string', `${quotes} import redis`, 1],
    ['brackets without end', `${'['.repeat(deep)}`, 1],
    ['brackets that close nothing', `${']'.repeat(deep)}\nimport redis`, 1],
    ['fields without end', `f"${'{f"'.repeat(deep)}`, 1],
    ['specifications without end', `f"${'{a:'.repeat(deep)}${'}'.repeat(deep)}"`, 1],
    ['imports in one line', 'import a:'.repeat(deep), 0],
    ['blocks within blocks', Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}if TYPE_CHECKING:`).join('\n'), 0],
    ['one name many times', 'import redis\nredis.x\n'.repeat(20_000), 0],
    ['names of objects', 'import __proto__, constructor.x\nfrom toString import hasOwnProperty\n__proto__.x', 0],
    ['carriage returns alone', 'x = 1\rimport redis\r', 0],
    ['backslashes', '\\'.repeat(deep), 0],
  ])('%s', async (_, text, parseErrors) => {
    const found = await analyze(['redis'], { 'a.py': text });
    expect(found).toMatchObject({ files: 1, parseErrors });
  });

  test('a binary file is searched, a byte order mark is no matter', async () => {
    const found = await analyze(['redis'], {
      'a.py': '\uFEFFimport redis',
      'b.py': 'import redis\0',
    });
    expect(places(found)).toEqual(['redis a.py:1:8 prod', 'redis b.py:1:8 prod mention']);
    expect(found).toMatchObject({ files: 1, searched: 1, skipped: 0 });
  });
});
