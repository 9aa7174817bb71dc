import { describe, expect, test } from 'vitest';
import { pythonReader } from '../../../src/reach/languages/python/reader.js';
import { analyze as analyzeWith, places } from './analyzing.js';

const analyze = (packages: readonly string[], files: Readonly<Record<string, string>>) =>
  analyzeWith(pythonReader, 'PyPI', packages, files);

/** Where they start, they are loaded; another program's package only may be. */
const servers = ['gunicorn', 'uvicorn', 'granian', 'daphne', 'waitress', 'celery', 'hypercorn'];

describe('programs that start files name are used in production', () => {
  test.each([
    ['Procfile', 'web: gunicorn app.wsgi', 'gunicorn'],
    ['Dockerfile', 'FROM python\nCMD ["uvicorn", "app.main:app"]', 'uvicorn'],
    ['docker/web.Dockerfile', 'CMD granian --interface asgi x:y', 'granian'],
    ['docker-compose.prod.yml', 'services:\n  web:\n    command: daphne app.asgi:application', 'daphne'],
    ['docker/entrypoint', '#!/bin/sh\nexec waitress-serve app:app', 'waitress'],
    [
      'rootfs/etc/s6-overlay/s6-rc.d/svc-flower/run',
      '#!/command/with-contenv bash\nexec celery --app x flower',
      'flower',
    ],
    ['deploy/supervisord.conf', '[program:a]\ncommand=celery -A proj worker', 'celery'],
    ['deploy/app.service', '[Service]\nExecStart=/venv/bin/hypercorn app:app', 'hypercorn'],
    ['start.sh', 'exec python -m aiosmtpd -n', 'aiosmtpd'],
    ['fly.toml', '[processes]\nweb = "opentelemetry-instrument python x.py"', 'opentelemetry-distro'],
    ['gunicorn.sh', 'gunicorn -k uvicorn_worker.UvicornWorker a:b', 'uvicorn-worker'],
    ['.env.example', 'DATABASE_URL=postgresql+asyncpg://u:p@h/d', 'asyncpg'],
    ['logging.ini', '[formatter_json]\nclass=pythonjsonlogger.jsonlogger.JsonFormatter', 'python-json-logger'],
    [
      'config/logging.yaml',
      'formatters:\n  x:\n    class: pythonjsonlogger.jsonlogger.JsonFormatter',
      'python-json-logger',
    ],
  ])('%s', async (file, text, name) => {
    const found = await analyze([name, 'unrelated'], { [file]: text, 'x.py': '' });
    expect(found.uses.map(({ packageName, site }) => [packageName, site.kind, site.role, site.file])).toEqual([
      [name, servers.includes(name) ? 'dynamic' : 'mention', 'prod', file],
    ]);
  });

  test('scripts of tools are tooling, and comments name nothing', async () => {
    const found = await analyze(['mypy', 'gunicorn'], { 'scripts/lint.sh': 'mypy app\n# gunicorn', 'x.py': '' });
    expect(places(found)).toEqual(['mypy scripts/lint.sh:1:1 script mention']);
  });

  test('the project’s own files that they name are entries', async () => {
    const found = await analyze([], {
      'backend/service.py': '',
      'worker/run.py': '',
      'jobs/__main__.py': '',
      Procfile: 'web: uvicorn service:app\nworker: python worker/run.py\njob: python -m jobs',
    });
    expect(found.entries.map(({ file }) => file).sort()).toEqual([
      'backend/service.py',
      'jobs/__main__.py',
      'worker/run.py',
    ]);
  });
});

describe('strings', () => {
  test.each([
    ['of a URL', "create_engine('postgresql+asyncpg://u@h/d')", 'asyncpg'],
    ['of a URL with fields', "url = f'mysql+pymysql://{user}@h'", 'PyMySQL'],
    ['of a scheme', "PostgresDsn.build(scheme='postgresql+psycopg', host=h)", 'psycopg'],
    ['of a broker', "Celery(broker='redis://localhost')", 'redis'],
    ['of a class', "FORMATTERS = {'()': 'pythonjsonlogger.jsonlogger.JsonFormatter'}", 'python-json-logger'],
    ['of an application', "run('whitenoise.wsgi:app')", 'whitenoise'],
  ])('%s', async (_, text, name) => {
    const found = await analyze([name], { 'settings.py': text });
    expect(found.uses.map(({ packageName, site }) => [packageName, site.kind])).toEqual([[name, 'mention']]);
  });

  test('an application that a server loads by name is reached', async () => {
    const found = await analyze(['redis'], {
      'main.py': "import uvicorn\nuvicorn.run('web.app:create', factory=True)",
      'web/app.py': 'import redis',
    });
    expect(places(found)).toContain('redis web/app.py:1:8 prod reached');
  });
});

describe('imports that are computed', () => {
  const packages = ['redis', 'myapp-plugin-x', 'requests', 'celery'];
  test.each([
    ['import_module(name)', 'any'],
    ["import_module(f'{name}.urls')", 'any'],
    ["import_module('%s.urls' % name)", 'any'],
    ["import_module('.'.join(parts))", 'any'],
    ["import_module('redis' if fast else slow)", 'any'],
    ["import_module('myapp_' + name)", ['myapp-plugin-x']],
    ["import_module(f'redis.{name}')", ['redis']],
    ['entry_points(group="myapp")', 'any'],
    ["import_module(f'own.plugins.{name}')", null],
    ["import_module(f'{__name__}.x')", null],
    ['import_module(__package__ + ".x")', null],
    ['import_module(f".{name}", package=__package__)', null],
    ['def import_module(name): pass', null],
  ])('%s', async (text, hides) => {
    const { gaps } = await analyze(packages, {
      'main.py': `from importlib import import_module\nimport own\n${text}\n`,
    });
    const found = gaps.filter(({ kind }) => kind === 'unknown_dynamic');
    expect(found.map((gap) => [gap.line, gap.hides])).toEqual(hides === null ? [] : [[3, hides]]);
  });

  test.each([
    ["NAME = 'redis'\nimport_module(NAME)\n"],
    ["for name in ('celery', 'redis'):\n    import_module(name)\n"],
    ["for name in [\n  'redis',\n]: import_module(name)\n"],
  ])('but stand in the file: %s', async (text) => {
    const found = await analyze(packages, { 'main.py': text });
    expect(places(found).some((place) => /^redis .* dynamic/.test(place))).toBe(true);
    expect(found.gaps).toEqual([]);
  });

  test.each([
    ["NAME = 'redis'\nNAME = other()\nimport_module(NAME)\n"],
    ["def load(NAME):\n    import_module(NAME)\nNAME = 'redis'\n"],
    ["for name in ('redis', other): import_module(name)\n"],
    ["for name in ('redis', *others): import_module(name)\n"],
  ])('or may be another: %s', async (text) => {
    const found = await analyze(packages, { 'main.py': text });
    expect(found.gaps.map(({ hides }) => hides)).toEqual(['any']);
  });
});

describe('imports that name nothing', () => {
  test('of a module that is not there hide anything, but not one that a build makes', async () => {
    const { gaps } = await analyze(['redis', 'protobuf'], {
      'main.py': 'from .missing import x\nfrom ._version import v\nfrom . import here\nfrom .api_pb2 import M\n',
      'here.py': '',
    });
    expect(gaps.map(({ kind, line, hides }) => [kind, line, hides])).toEqual([
      ['unresolved_import', 1, 'any'],
      ['unresolved_import', 4, ['protobuf']],
    ]);
  });

  test('hide every package that no other import answers to, where the file cannot run without them', async () => {
    const packages = ['redis', 'unknown-name', 'pytest-x', 'types-redis', 'beautifulsoup4'];
    const { gaps } = await analyze(packages, {
      'main.py': 'import missing, namespace\nimport redis\n',
      'namespace/x.py': '',
    });
    expect(gaps).toEqual([
      { kind: 'unowned_import', file: 'main.py', line: 1, detail: 'missing', hides: ['unknown-name'] },
    ]);
  });

  test('hide the packages that they resemble, where the file can do without them', async () => {
    const packages = ['django-barcodes-plus', 'redis'];
    const found = await analyze(packages, { 'main.py': 'try:\n    import barcodes\nexcept ImportError: pass\n' });
    expect(found.gaps.map(({ kind, hides }) => [kind, hides])).toEqual([['unowned_import', ['django-barcodes-plus']]]);
  });

  test('hide nothing where the project has the module, wherever it lies', async () => {
    const found = await analyze(['unknown-name', 'redis'], {
      'apps/api/main.py': 'import shared.store\n',
      'libs/shared/src/shared/store.py': 'import redis\n',
    });
    expect(found.gaps).toEqual([]);
    expect(places(found)).toEqual(['redis libs/shared/src/shared/store.py:1:8 prod reached']);
  });
});

describe('files', () => {
  test('of Python without its extension, of Cython, and notebooks', async () => {
    const notebook = JSON.stringify(
      {
        cells: [
          { cell_type: 'markdown', source: ['import flask\n'] },
          { cell_type: 'code', source: ['%matplotlib inline\n', 'import pandas as pd\n', 'pd.read_csv("a")'] },
          { cell_type: 'code', source: 'import torch' },
        ],
      },
      null,
      1,
    );
    const found = await analyze(['redis', 'numpy', 'pandas', 'torch', 'flask', 'click'], {
      'bin/run-worker': '#!/usr/bin/env python3\nimport redis\n',
      'bin/other': '#!/bin/sh\nimport flask\n',
      LICENSE: 'import flask',
      'fast.pyx': 'cimport numpy as np\nfrom libc.stdlib cimport malloc\n',
      'a.ipynb': notebook,
      'broken.ipynb': '{"cells": "import click"',
    });
    expect(places(found)).toEqual([
      'pandas a.ipynb:13:8 prod',
      'torch a.ipynb:19:8 prod',
      'redis bin/run-worker:2:8 prod',
      'numpy fast.pyx:1:9 prod',
      'click broken.ipynb:1:19 prod mention',
    ]);
    expect(found).toMatchObject({ files: 4, parseErrors: 1 });
  });

  test('of Celery’s tasks, application settings and gunicorn’s are production', async () => {
    const found = await analyze(['celery', 'redis', 'psycogreen'], {
      'shop/tasks.py': 'import celery',
      'shop/conf.py': 'import redis',
      'gunicorn.conf.py': 'import psycogreen',
    });
    expect(found.uses.map(({ site }) => site.role)).toEqual(['prod', 'prod', 'prod']);
  });

  test('that Django loads by their names are reached', async () => {
    const found = await analyze(['redis', 'requests', 'attrs', 'pillow'], {
      'src/manage.py': '',
      'src/shop/tasks.py': 'import redis',
      'src/shop/management/commands/sync.py': 'import requests',
      'src/shop/migrations/0001_initial.py': 'import attrs',
      'src/shop/helper.py': 'import PIL',
    });
    expect(found.uses.map(({ packageName, site }) => [packageName, site.reached])).toEqual([
      ['pillow', false],
      ['requests', true],
      ['attrs', true],
      ['redis', true],
    ]);
  });

  test('that entry points name are entries', async () => {
    const { entries } = await analyze([], {
      'pyproject.toml': '[project.entry-points."pytest11"]\nx = "plugin.hooks"\n',
      'plugin/hooks.py': '',
      'old/setup.cfg': '[options.entry_points]\nconsole_scripts =\n  tool = tool.cli:main\n',
      'old/tool/cli.py': '',
      'older/setup.py': 'setup(entry_points={"console_scripts": ["t2 = other.cli:main"]})',
      'older/other/cli.py': '',
    });
    expect(entries.map(({ file }) => file).sort()).toEqual([
      'old/tool/cli.py',
      'older/other/cli.py',
      'plugin/hooks.py',
    ]);
  });
});

test('applications and middleware that settings always list are loaded; what a condition or a developer adds may be', async () => {
  const text = `
INSTALLED_APPS: list[str] = [
    "django.contrib.admin",  # the [admin]
    "corsheaders",
]
MIDDLEWARE = ("whitenoise.middleware.WhiteNoiseMiddleware",)
OTHER = ["sorl.thumbnail"]
if DEBUG:
    INSTALLED_APPS.append("debug_toolbar")
`;
  const names = ['django', 'django-cors-headers', 'whitenoise', 'sorl-thumbnail', 'django-debug-toolbar'];
  const kinds = async (path: string) => {
    const { uses } = await analyze(names, { [path]: text });
    return Object.fromEntries(uses.map(({ packageName, site }) => [packageName, site.kind]));
  };
  expect(await kinds('site/settings.py')).toEqual({
    django: 'dynamic',
    'django-cors-headers': 'dynamic',
    whitenoise: 'dynamic',
    'sorl-thumbnail': 'mention',
    'django-debug-toolbar': 'mention',
  });
  expect(new Set(Object.values(await kinds('site/settings/local.py')))).toEqual(new Set(['mention']));
});

describe('a loop over the modules of a folder', () => {
  const body = (prefix: string, call: string, before = '') =>
    `import importlib\nimport pkgutil\n\n${before}for _, name, _ in pkgutil.walk_packages(${prefix}):  # noqa\n    ${call}\n`;

  test.each([
    body('__path__, prefix=__name__ + "."', 'importlib.import_module(name)'),
    body("__path__, f'{__name__}.'", '__import__(name)'),
    body('path=__path__, prefix=__package__ + ".",', 'importlib.import_module(name)'),
    'from importlib import import_module\nfrom pkgutil import iter_modules\n\nfor found in iter_modules(__path__, __name__ + "."):\n    import_module(found.name)\n',
  ])('hides nothing where it is the package’s own: %j', async (text) => {
    const { gaps } = await analyze(['django', 'redis'], { 'shop/__init__.py': text });
    expect(gaps).toEqual([]);
  });

  test.each([
    ['another folder', body('paths, prefix=__name__ + "."', 'importlib.import_module(name)')],
    ['no prefix', body('__path__', 'importlib.import_module(name)')],
    ['another prefix', body('__path__, prefix=other + "."', 'importlib.import_module(name)')],
    ['another name', body('__path__, prefix=__name__ + "."', 'importlib.import_module(other)')],
    ['a changed name', body('__path__, prefix=__name__ + "."', 'name = f(name)\n    importlib.import_module(name)')],
    [
      'an import behind the loop',
      `${body('__path__, prefix=__name__ + "."', 'pass')}name = f()\nimportlib.import_module(name)\n`,
    ],
    [
      'a folder that other packages extend',
      body(
        '__path__, prefix=__name__ + "."',
        'importlib.import_module(name)',
        '__path__ = pkgutil.extend_path(__path__, __name__)\n',
      ),
    ],
  ])('hides any package with %s', async (_, text) => {
    const { gaps } = await analyze(['django', 'redis'], { 'shop/__init__.py': text });
    expect(gaps.map(({ hides }) => hides)).toEqual(['any']);
  });
});

describe('what starts or sets up an application loads its packages', () => {
  const kinds = async (packages: readonly string[], files: Readonly<Record<string, string>>) => {
    const { uses } = await analyze(packages, files);
    return uses.flatMap(({ packageName, site }) => (site.kind === 'dynamic' ? [`${packageName} ${site.file}`] : []));
  };

  test.each([
    ['Procfile', 'web: gunicorn app.wsgi\n', 'gunicorn'],
    ['Procfile', 'worker: python -m celery -A app worker\n', 'celery'],
    ['Dockerfile', 'FROM python\nCMD ["gunicorn", "app.wsgi"]\n', 'gunicorn'],
    ['docker-compose.yml', 'services:\n  web:\n    command: uv run uvicorn app:app\n', 'uvicorn'],
    ['app.service', '[Service]\nExecStart=/opt/app/venv/bin/gunicorn app.wsgi\n', 'gunicorn'],
    ['docker/start.sh', '#!/bin/sh\nexec newrelic-admin run-program gunicorn app.wsgi\n', 'gunicorn'],
    ['rootfs/s6-rc.d/flower/run', '#!/bin/sh\n\texec s6-setuidgid app python3 -m flower\n', 'flower'],
  ])('%s: %j', async (path, text, name) => {
    expect(await kinds(['gunicorn', 'celery', 'uvicorn', 'flower'], { [path]: text })).toEqual([`${name} ${path}`]);
  });

  test.each([
    ['Dockerfile', 'FROM python\nRUN pip install \\\n    gunicorn \\\n    celery\n'],
    ['docker-compose.yml', 'services:\n  web:\n    container_name: celery\n'],
    ['docker-compose.dev.yml', 'services:\n  web:\n    command: gunicorn app.wsgi\n'],
    ['docker/start.sh', '#!/bin/sh\necho gunicorn\nblack .\n'],
  ])('what only names one may load it: %s %j', async (path, text) => {
    expect(await kinds(['gunicorn', 'celery', 'black'], { [path]: text })).toEqual([]);
  });

  test('classes in settings of Django, and what Pyramid includes', async () => {
    const found = await kinds(
      ['django-redis', 'json-log-formatter', 'celery', 'channels-redis', 'pyramid-tm', 'pyramid-debugtoolbar'],
      {
        'shop/settings.py': [
          "CACHES = {'default': {'BACKEND': 'django_redis.cache.RedisCache', 'KEY_PREFIX': 'celery'}}",
          'LOGGING = {',
          "    'formatters': {'json': {'()': 'json_log_formatter.JSONFormatter'}},",
          "    'loggers': {'celery': {'level': 'INFO'}},",
          '}',
          "if DEBUG:\n    CHANNEL_LAYERS = {'default': {'BACKEND': 'channels_redis.core.RedisChannelLayer'}}",
        ].join('\n'),
        'shop/config.py': [
          'def configure(config):',
          '    config.include("pyramid_tm")',
          '    if config.debug:',
          '        config.include("pyramid_debugtoolbar")',
        ].join('\n'),
      },
    );
    expect(found.toSorted()).toEqual([
      'django-redis shop/settings.py',
      'json-log-formatter shop/settings.py',
      'pyramid-tm shop/config.py',
    ]);
  });
});

describe('a member of a package that neither its code names nor its folder has', () => {
  const gapsOf = async (files: Readonly<Record<string, string>>) =>
    (await analyze(['requests'], files)).gaps.map(({ kind, file, detail }) => `${kind} ${file} ${detail}`);

  test.each([
    ['beside the file', { 'shop/a.py': 'from . import made' }, '.made'],
    ['above', { 'shop/sub/a.py': 'from .. import made' }, '..made'],
    [
      'in a package below',
      { 'a.py': '', 'shop/a.py': 'from .sub import made', 'shop/sub/__init__.py': '' },
      '.sub.made',
    ],
    ['by its full name', { 'a.py': 'from shop import made' }, 'shop.made'],
    ['beside one that is there', { 'a.py': 'from shop import made, other', 'shop/other.py': '' }, 'shop.made'],
    ['that the package imports itself', { 'shop/__init__.py': 'from . import made' }, '.made'],
  ])('%s may be a module that a build makes', async (_, files, detail) => {
    const [file = ''] = Object.entries(files).flatMap(([path, text]) => (text.includes('made') ? [path] : []));
    expect(await gapsOf({ 'shop/__init__.py': 'version = 1\n', ...files })).toEqual([
      `unresolved_import ${file} ${detail}`,
    ]);
  });

  test('in a folder that is no package, too', async () => {
    expect(await gapsOf({ 'shop/a.py': 'from . import made, other', 'shop/other.py': '' })).toEqual([
      'unresolved_import shop/a.py .made',
    ]);
  });

  test.each([
    ['assigned', 'made = 1'],
    ['a function', 'def made():\n    pass'],
    ['imported from a module', 'from .other import made'],
    ['taken with all others', 'from .other import *'],
    ['made when it is asked for', 'def __getattr__(name):\n    return 1'],
    ['written to the module', 'globals().update(made_by_hand())'],
  ])('none where it is %s', async (_, init) => {
    const files = { 'shop/__init__.py': init, 'shop/other.py': 'made = 1' };
    const uses = { 'shop/a.py': 'from . import made, __version__', 'b.py': 'from shop import made' };
    expect(await gapsOf({ ...files, ...uses })).toEqual([]);
  });

  test('none where it is a module, a package or a folder, or the whole is a module', async () => {
    const files = {
      'shop/__init__.py': '',
      'shop/m.py': '',
      'shop/p/__init__.py': '',
      'shop/f/x.py': '',
      'single.py': 'n = 1',
    };
    expect(
      await gapsOf({ ...files, 'shop/a.py': 'from . import m, p, f', 'b.py': 'from single import anything' }),
    ).toEqual([]);
  });
});
