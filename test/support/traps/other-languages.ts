import { composerProject, uvProject, version } from './projects.js';
import type { TrapTree } from './trap-tree.js';

/** Each is of a class of mistakes that were found in real applications. */
export const otherTraps: readonly TrapTree[] = [
  {
    name: 'a distribution of Python whose module is spelled without its hyphen',
    files: {
      ...uvProject(['zxing-cpp', 'django-soft-delete']),
      'app.py': 'import zxingcpp\nfrom django_softdelete.models import M\n',
    },
    used: ['zxing-cpp', 'django-soft-delete'],
  },
  {
    name: 'an extra of a used distribution',
    files: {
      'pyproject.toml': `[project]\nname = "app"\nversion = "${version}"\ndependencies = ["redis[hiredis]"]\n`,
      'uv.lock': `version = 1

[[package]]
name = "app"
version = "1.0.0"
source = { virtual = "." }
dependencies = [{ name = "redis", extra = ["hiredis"] }]

[[package]]
name = "hiredis"
version = "1.0.0"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "redis"
version = "1.0.0"
source = { registry = "https://pypi.org/simple" }

[package.optional-dependencies]
hiredis = [{ name = "hiredis" }]
`,
      'app.py': 'import redis\nredis.Redis().ping()\n',
    },
    used: ['redis', 'hiredis'],
  },
  {
    name: 'a driver that the settings of Django name',
    files: {
      ...uvProject(['django', 'psycopg']),
      'manage.py':
        'import os\nfrom django.core.management import execute_from_command_line\nexecute_from_command_line()\n',
      'app/settings.py': "DATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql'}}\n",
    },
    used: ['django', 'psycopg'],
  },
  {
    name: 'a crate whose library has another name, and one that an attribute names',
    files: {
      'Cargo.toml':
        '[package]\nname = "app"\nversion = "1.0.0"\n\n[dependencies]\ntiny-bip39 = "1"\nserde_regex = "1"\nserde = "1"\n',
      'Cargo.lock': `version = 3\n\n[[package]]\nname = "app"\nversion = "1.0.0"\ndependencies = [\n "serde",\n "serde_regex",\n "tiny-bip39",\n]\n${[
        'serde',
        'serde_regex',
        'tiny-bip39',
      ]
        .map(
          (name) =>
            `\n[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n`,
        )
        .join('')}`,
      'src/main.rs':
        'use bip39::Mnemonic;\n\n#[derive(serde::Deserialize)]\nstruct Settings {\n    #[serde(with = "serde_regex")]\n    filter: regex::Regex,\n}\n\nfn main() {\n    Mnemonic::new();\n}\n',
    },
    used: ['tiny-bip39', 'serde_regex', 'serde'],
  },
  {
    name: 'a storage service that the configuration of Rails names',
    files: {
      Gemfile: "source 'https://rubygems.org'\ngem 'rails'\ngem 'aws-sdk-s3', require: false\n",
      'Gemfile.lock':
        'GEM\n  remote: https://rubygems.org/\n  specs:\n    aws-sdk-s3 (1.0.0)\n    rails (7.0.0)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  aws-sdk-s3\n  rails\n',
      'config/application.rb': "require 'rails/all'\nBundler.require(*Rails.groups)\n",
      'config/storage.yml': 'amazon:\n  service: S3\n  bucket: files\n',
    },
    used: ['rails', 'aws-sdk-s3'],
  },
  {
    name: 'a package that Laravel discovers, and a driver that its configuration names',
    files: {
      ...composerProject(
        [
          { name: 'laravel/framework', version: '11.0.0', autoload: { 'psr-4': { 'Illuminate\\': 'src/' } } },
          {
            name: 'acme/tunnel',
            version: '1.0.0',
            autoload: { 'psr-4': { 'Acme\\Tunnel\\': 'src/' } },
            extra: { laravel: { providers: ['Acme\\Tunnel\\Provider'] } },
          },
          {
            name: 'league/flysystem-aws-s3-v3',
            version: '3.0.0',
            autoload: { 'psr-4': { 'League\\Flysystem\\AwsS3V3\\': '' } },
          },
        ],
        ['laravel/framework', 'acme/tunnel', 'league/flysystem-aws-s3-v3'],
      ),
      'config/filesystems.php': "<?php\n\nreturn ['disks' => ['files' => ['driver' => 's3', 'bucket' => 'b']]];\n",
      'public/index.php': '<?php\n\nuse Illuminate\\Http\\Request;\n\nRequest::capture();\n',
    },
    used: ['laravel/framework', 'acme/tunnel', 'league/flysystem-aws-s3-v3'],
  },
  {
    name: 'an ecosystem whose language is not read',
    files: {
      'packages.lock.json': JSON.stringify({
        version: 1,
        dependencies: {
          'net8.0': {
            Serilog: { type: 'Direct', requested: '[1.0.0, )', resolved: '1.0.0' },
            'Serilog.Sinks.File': {
              type: 'Direct',
              requested: '[1.0.0, )',
              resolved: '1.0.0',
              dependencies: { 'System.Memory': '1.0.0' },
            },
            'System.Memory': { type: 'Transitive', resolved: '1.0.0' },
          },
        },
      }),
      'Program.cs': 'using Serilog;\n\nLog.Information("started");\n',
    },
    used: ['Serilog'],
  },
  {
    name: 'tools in an extra for development, beside an import that only a run can name',
    files: {
      'pyproject.toml':
        '[project]\nname = "app"\nversion = "1.0.0"\ndependencies = ["django", "redis"]\n\n[project.optional-dependencies]\ndev = ["autopep8", "fakeredis"]\ncache = ["pylibmc"]\n',
      'uv.lock': `version = 1\n\n[[package]]\nname = "app"\nversion = "1.0.0"\nsource = { virtual = "." }\ndependencies = [{ name = "django" }, { name = "redis" }]\n\n[package.optional-dependencies]\ndev = [{ name = "autopep8" }, { name = "fakeredis" }]\ncache = [{ name = "pylibmc" }]\n\n${[
        'autopep8',
        'fakeredis',
        'pylibmc',
        'redis',
      ]
        .map(
          (name) =>
            `[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = { registry = "https://pypi.org/simple" }\n`,
        )
        .join(
          '\n',
        )}\n[[package]]\nname = "django"\nversion = "1.0.0"\nsource = { registry = "https://pypi.org/simple" }\ndependencies = [{ name = "sqlparse" }]\n\n[[package]]\nname = "sqlparse"\nversion = "1.0.0"\nsource = { registry = "https://pypi.org/simple" }\n`,
      'manage.py': 'import django\nimport importlib\n\ndef load(name):\n    return importlib.import_module(name)\n',
    },
    used: ['django', 'sqlparse', 'redis', 'pylibmc'],
    exactly: { autopep8: 'dev_only', fakeredis: 'dev_only', pylibmc: 'transitive_only' },
  },
  {
    name: 'a loop over the modules of the application, and one over those of other packages',
    files: {
      ...uvProject(['django', 'tabulate']),
      'app/__init__.py':
        'import importlib\nimport pkgutil\n\nfor _, name, _ in pkgutil.walk_packages(__path__, __name__ + "."):\n    importlib.import_module(name)\n',
      'app/jobs.py': 'import django\n',
    },
    used: ['django'],
    exactly: { django: 'imported', tabulate: 'not_used' },
  },
  {
    name: 'a loop over the modules of all folders on the path',
    files: {
      ...uvProject(['django', 'tabulate']),
      'app/__init__.py':
        'import importlib\nimport pkgutil\n\nfor _, name, _ in pkgutil.walk_packages(None, ""):\n    importlib.import_module(name)\n',
      'app/jobs.py': 'import django\n',
    },
    used: ['django', 'tabulate'],
  },
  {
    name: 'an application of Spring Boot: its starters, files for pages and modules',
    files: {
      'pom.xml': bootPom('app', 'pom', '', '<modules><module>web</module><module>core</module></modules>'),
      'core/pom.xml': bootPom('core', 'jar', ''),
      'core/src/main/java/org/shop/core/Core.java': 'package org.shop.core;\npublic class Core {}\n',
      'web/pom.xml': bootPom(
        'web',
        'jar',
        ['org.shop:core', 'com.acme:acme-spring-boot-starter', 'org.webjars:jquery', 'com.acme:acme-report']
          .map((name) => mavenDependency(name))
          .join('') + mavenDependency('com.acme:acme-check', 'test'),
        '<build><plugins><plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build>',
      ),
      'web/src/main/java/org/shop/Web.java':
        'package org.shop;\nimport com.acme.check.Rule;\npublic class Web { public static void main(String[] args) {} }\n',
      'web/src/test/java/org/shop/WebTest.java': 'package org.shop;\nclass WebTest {}\n',
    },
    used: [
      'org.shop:core',
      'com.acme:acme-spring-boot-starter',
      'org.webjars:jquery',
      'com.acme:acme-report',
      'com.acme:acme-check',
    ],
    exactly: {
      'org.shop:core': 'imported',
      'com.acme:acme-spring-boot-starter': 'imported',
      'org.webjars:jquery': 'imported',
      'com.acme:acme-report': 'transitive_only',
    },
  },
];

function mavenDependency(name: string, scope = 'compile'): string {
  const [group = '', artifact = ''] = name.split(':');
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>1.0.0</version><scope>${scope}</scope></dependency>`;
}

function bootPom(name: string, packaging: string, dependencies: string, more = ''): string {
  return `<project><groupId>org.shop</groupId><artifactId>${name}</artifactId><version>1.0.0</version><packaging>${packaging}</packaging><dependencies>${dependencies}</dependencies>${more}</project>`;
}
