import { describe, expect, test } from 'vitest';
import { rubyReader } from '../../../src/reach/languages/ruby/reader.js';
import { analyze as analyzeWith, places } from './analyzing.js';

const analyze = (packages: readonly string[], files: Readonly<Record<string, string>>) =>
  analyzeWith(rubyReader, 'RubyGems', packages, files);

describe('a gem that nothing requires is named', () => {
  test.each([
    ['by a storage service', 'config/storage.yml', 'amazon:\n  service: S3\n', 'aws-sdk-s3'],
    ['by another one', 'config/storage.yml', 'google:\n  service: GCS\n', 'google-cloud-storage'],
    ['by a database', 'config/database.yml', 'default:\n  adapter: postgresql\n', 'pg'],
    ['by a database of an example', 'config/database.yml.example', 'default:\n  adapter: mysql2\n', 'mysql2'],
    ['by a cable', 'config/cable.yml', 'production:\n  adapter: redis\n', 'redis'],
    ['by a cache', 'config/environments/production.rb', 'config.cache_store = :mem_cache_store, "a"', 'dalli'],
    [
      'by a cache with options',
      'config/environments/production.rb',
      'config.cache_store = :redis_cache_store, {}',
      'redis',
    ],
    ['by a queue', 'config/application.rb', 'config.active_job.queue_adapter = :sidekiq', 'sidekiq'],
    ['by a processor', 'config/application.rb', 'config.active_storage.variant_processor = :vips', 'ruby-vips'],
    ['by a strategy', 'config/initializers/omniauth.rb', 'provider :google_oauth2, ENV["A"]', 'omniauth-google-oauth2'],
    ['by a Procfile', 'Procfile', 'web: bundle exec puma -C config/puma.rb', 'puma'],
    ['by a container', 'Dockerfile', 'CMD ["./bin/thrust", "x"]', 'thruster'],
    ['by a server’s start', 'config.ru', 'run App', 'falcon'],
    ['by the kind of its templates', 'app/views/a.html.haml', '%p text', 'haml-rails'],
    ['by a constant in a template', 'app/views/a.html.erb', '<p>Redis</p><%= Pagy.new(1) %>', 'pagy'],
    ['by a constant in HAML', 'app/views/a.html.haml', '%p Redis\n%p.a= Pagy.new(1)', 'pagy'],
    ['by a constant of another name', 'app/a.rb', 'Aws::S3::Client.new', 'aws-sdk-s3'],
  ])('%s', async (_, file, text, name) => {
    const found = await analyze([name, 'unrelated'], { [file]: text });
    const [use] = found.uses;
    expect([use?.packageName, use?.site.kind, use?.site.role, found.uses.length]).toEqual([name, 'mention', 'prod', 1]);
  });

  test('text of a template names none', async () => {
    const found = await analyze(['redis', 'pagy'], {
      'app/a.html.erb': '<p>Redis</p><%# Pagy %>',
      'app/b.html.slim': 'p Redis\n/ Pagy',
    });
    expect(places(found)).toEqual([]);
  });
});

test('a path that the Gemfile gives for a gem is the gem’s', async () => {
  const found = await analyze(['oddly-named', 'two'], {
    Gemfile: "gem 'oddly-named', require: 'odd/core'\ngem 'two', require: ['a2', 'b2']\n",
    'lib/a.rb': "require 'odd/core'\nrequire 'b2'\n",
  });
  expect(places(found)).toEqual(['oddly-named lib/a.rb:1:1 prod require', 'two lib/a.rb:2:1 prod require']);
});

test('executables without extension, and what a task of Rails requires', async () => {
  const found = await analyze(['redis', 'roo'], {
    'bin/worker': '#!/usr/bin/env ruby\nrequire "redis"\n',
    'bin/other': '#!/bin/sh\nrequire "redis"\n',
    'lib/tasks/import.rake': 'require "roo"\n',
  });
  expect(places(found)).toEqual([
    'redis bin/worker:2:1 prod require reached',
    'roo lib/tasks/import.rake:1:1 prod require',
  ]);
});

test('a binstub of Bundler is no code of the project', async () => {
  const found = await analyze(['rubocop'], {
    Gemfile: "gem 'rubocop', require: false, group: :development\n",
    'bin/rubocop': '#!/usr/bin/env ruby\nrequire "rubygems"\nload Gem.bin_path("rubocop", "rubocop")\n',
    'config/application.rb': 'Bundler.require\n',
  });
  expect(found.uses.map(({ site }) => [site.file, site.role])).toEqual([
    ['Gemfile', 'test'],
    ['bin/rubocop', 'script'],
  ]);
  expect(found.gaps).toEqual([]);
  expect(found.entries.map(({ file }) => file)).toEqual(['config/application.rb']);
});

test.each([
  ["require 'concurrent'", 'concurrent-ruby'],
  ["require 'vips'", 'ruby-vips'],
  ["require 'importmap/commands'", 'importmap-rails'],
])('%s is of %s', async (text, name) => {
  expect(places(await analyze([name], { 'a.rb': text }))).toEqual([`${name} a.rb:1:1 prod require`]);
});

describe('what the search cannot see', () => {
  test.each([
    ['require name', 'any'],
    ['require "#{name}/plugin"', 'any'],
    ['require "redis/#{name}"', ['redis']],
    ['require "plugins/#{name}"', null],
    ['def load(x) = x\nload(path)', null],
    ['load path', 'any'],
    ['require File.join(__dir__, name)', null],
    ['require Rails.root.join("lib", name)', null],
    ['require "#{__dir__}/#{name}"', null],
    ['Dir[File.join(root, "*.rb")].each { |f| require f }', null],
    ['Dir.glob("*.rb") do |f|\n  require f', null],
  ])('%s', async (text, hides) => {
    const { gaps } = await analyze(['redis'], { 'main.rb': text });
    expect(gaps.map((gap) => [gap.kind, gap.hides])).toEqual(hides === null ? [] : [['unknown_dynamic', hides]]);
  });

  test('is a file that is not there, and a library that resembles a gem', async () => {
    const { gaps } = await analyze(['redis', 'barcodes-plus'], {
      'main.rb': "require_relative 'missing'\nrequire 'barcodes'\nrequire 'json'\nrequire 'nowhere'\n",
    });
    expect(gaps.map(({ kind, line, hides }) => [kind, line, hides])).toEqual([
      ['unresolved_import', 1, 'any'],
      ['unowned_import', 2, ['barcodes-plus']],
    ]);
  });
});
