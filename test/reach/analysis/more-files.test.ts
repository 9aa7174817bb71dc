import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyzeTree } from '../../../src/reach/analysis/analyze-tree.js';
import { composerProject, uvProject } from '../../support/traps/projects.js';
import { folderWith } from '../folder.js';

const classes = ['unused', 'tooling', 'not_loaded', 'transitive', 'loaded', 'imported', 'reached'];
const same: Readonly<Record<string, string>> = { mentioned: 'transitive', type_only: 'tooling' };

const notAnalyzed = -1;

/** The least class of each package. Where no source was read there is none: the first source says more, not less. */
async function ranks(folder: string): Promise<Map<string, number>> {
  const { report } = await analyzeTree({ folder, entries: [], version: '1.0.0', progress: () => {} });
  return new Map(
    report.dependencies.map(({ purl, usage, gaps = [] }) => {
      const own = classes.indexOf(same[usage] ?? usage);
      return [purl, gaps.length > 0 && usage !== 'not_analyzed' ? Math.max(own, classes.indexOf('transitive')) : own];
    }),
  );
}

interface Project {
  readonly name: string;
  readonly base: Readonly<Record<string, string>>;
  /** Each path may have any of the texts. */
  readonly paths: readonly string[];
  readonly texts: readonly string[];
}

const php = composerProject(
  ['acme/a', 'acme/b', 'acme/c'].map((name) => ({
    name,
    version: '1.0.0',
    type: name === 'acme/c' ? 'symfony-bundle' : 'library',
    autoload: { 'psr-4': { [`${name.slice(-1).toUpperCase()}\\`]: 'src/' } },
  })),
  ['acme/a', 'acme/b', 'acme/c'],
);
const artifact = (name: string, scope = 'compile') =>
  `<dependency><groupId>org.acme.${name}</groupId><artifactId>${name}-library</artifactId><version>1.0</version><scope>${scope}</scope></dependency>`;
const pom = (name: string, ...dependencies: readonly string[]) =>
  `<project><groupId>org.shop</groupId><artifactId>${name}</artifactId><version>1.0</version><dependencies>${dependencies.join('')}</dependencies></project>`;

const projects: readonly Project[] = [
  {
    name: 'Python',
    base: uvProject(['alpha', 'beta', 'gamma']),
    paths: [
      'app.py',
      'shop/__init__.py',
      'shop/settings.py',
      'tests/test_a.py',
      'tests/conftest.py',
      'setup.py',
      'docs/conf.py',
      'scripts/s.py',
      'Procfile',
      'Dockerfile',
      'requirements/dev.py',
      'shop/setup.cfg',
      'shop/settings_dev.py',
      'tox.ini',
      'noxfile.py',
      'shop/vendored.pyi',
    ],
    texts: [
      'import alpha\n',
      'def f():\n    import beta\n',
      'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import gamma\n',
      'import importlib\nimportlib.import_module(name)\n',
      "INSTALLED_APPS = ['alpha', 'beta.apps.Beta']\n",
      'from . import missing\n',
      'import unknown_thing\n',
      'web: gamma --bind 0.0.0.0\n',
      'import pkgutil, importlib\nfor _, name, _ in pkgutil.walk_packages(__path__, __name__ + "."):\n    importlib.import_module(name)\n',
      "setup(entry_points={'x': ['a = alpha:main']})\n",
      "engine = 'beta'\n",
    ],
  },
  {
    name: 'PHP',
    base: php,
    paths: [
      'index.php',
      'src/Kernel.php',
      'src/DataFixtures/Load.php',
      'config/bundles.php',
      'config/services.yaml',
      'config/packages/c.yaml',
      'tests/ATest.php',
      'database/seeders/Seed.php',
      'rector.php',
      'phpstan.neon',
      'bin/console',
      'templates/a.twig',
    ],
    texts: [
      '<?php\nuse A\\Client;\nnew Client();\n',
      '<?php\nnew \\B\\Client();\n',
      "<?php\nreturn [C\\CBundle::class => ['dev' => true]];\n",
      "<?php\nreturn [C\\CBundle::class => ['all' => true], A\\ABundle::class => ['test' => true]];\n",
      '<?php\nnew $class();\n',
      "<?php\nrequire __DIR__ . '/missing.php';\n",
      '<?php\nuse Unknown\\Thing;\nnew Thing();\n',
      'services:\n  B\\Service: ~\n',
      '{{ a }}\n',
      '<?php\nnamespace App\\DataFixtures;\nuse A\\Fixture;\nclass Load extends Fixture {}\n',
    ],
  },
  {
    name: 'Ruby',
    base: {
      Gemfile: "source 'https://rubygems.org'\ngem 'alpha'\ngem 'beta', require: false\ngem 'gamma', group: :test\n",
      'Gemfile.lock':
        'GEM\n  remote: https://rubygems.org/\n  specs:\n    alpha (1.0.0)\n    beta (1.0.0)\n    gamma (1.0.0)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  alpha\n  beta\n  gamma\n',
    },
    paths: [
      'app.rb',
      'config/application.rb',
      'config/storage.yml',
      'config.ru',
      'Rakefile',
      'lib/tasks/t.rake',
      'spec/a_spec.rb',
      'app/models/m.rb',
      'config/environments/test.rb',
      'shop.gemspec',
      'engines/x/Gemfile',
      'Procfile',
    ],
    texts: [
      "require 'alpha'\n",
      "require 'beta/sub'\n",
      'Gamma.new\n',
      "require 'bundler/setup'\nBundler.require(*Rails.groups)\n",
      "require_relative 'missing'\n",
      'require name\n',
      "require 'unknown_thing'\n",
      'amazon:\n  service: beta\n',
      "gem 'beta'\n",
      'web: bundle exec gamma\n',
    ],
  },
  {
    name: 'JVM',
    base: { 'pom.xml': pom('app', artifact('alpha'), artifact('beta'), artifact('gamma', 'test')) },
    paths: [
      'src/main/java/org/shop/App.java',
      'src/main/java/org/shop/Other.java',
      'src/test/java/org/shop/AppTest.java',
      'src/main/resources/application.properties',
      'src/main/resources/META-INF/services/org.shop.Spi',
      'src/main/resources/logback.xml',
      'tools/Tool.java',
      'build.gradle',
      'module/pom.xml',
      'library/pom.xml',
      'src/main/webapp/index.jsp',
    ],
    texts: [
      'package org.shop;\nimport org.acme.alpha.library.Client;\nclass App { public static void main(String[] a) {} }\n',
      'package org.shop;\nclass Other { org.acme.beta.library.Client c; }\n',
      'package org.shop;\nimport org.acme.gamma.library.Rule;\nclass T {}\n',
      'package org.shop;\nclass L { Class<?> c(String n) throws Exception { return Class.forName(n); } }\n',
      'handler=org.acme.beta.library.Handler\n',
      'package org.shop;\nimport org.unknown.Thing;\n',
      pom('module', artifact('beta', 'test')),
      '<project><groupId>org.acme.alpha</groupId><artifactId>alpha-library</artifactId><version>1.0</version></project>',
      '<configuration class="org.acme.alpha.library.Log"/>\n',
      "dependencies { implementation 'org.acme.beta:beta-library:1.0' }\n",
    ],
  },
];

test.each(projects)('more files never lower a class: $name', async ({ base, paths, texts }) => {
  const tree = fc.dictionary(fc.constantFrom(...paths), fc.constantFrom(...texts), { maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(tree, tree, async (some, others) => {
      const folder = folderWith({ ...base, ...some });
      const before = await ranks(folder);
      for (const [file, text] of Object.entries(others)) {
        // What a file misses is a question; only the file itself may answer it.
        if (file in some) continue;
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      const after = await ranks(folder);
      for (const [purl, rank] of before) {
        // A module without source may own the package now. Unknown is no lower than what is brought in by others.
        const isUnknown = after.get(purl) === notAnalyzed && rank <= classes.indexOf('transitive');
        if (!isUnknown) expect(after.get(purl), purl).toBeGreaterThanOrEqual(rank);
      }
    }),
    { numRuns: 60 },
  );
});
