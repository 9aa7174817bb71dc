import { expect, test } from 'vitest';
import { rubyReader } from '../../../src/reach/languages/ruby/reader.js';
import { analyze as analyzeWith, places } from './analyzing.js';

const analyze = (packages: readonly string[], files: Readonly<Record<string, string>>) =>
  analyzeWith(rubyReader, 'RubyGems', packages, files);

test('requires of every form', async () => {
  const found = await analyze(['nokogiri', 'activesupport', 'aws-sdk-s3', 'net-ssh', 'rspec-core', 'redis', 'rack'], {
    'lib/a.rb': [
      "require 'nokogiri' # require 'redis'",
      'require("active_support/core_ext/hash") if x',
      "autoload :Thing, 'aws-sdk-s3/client'",
      '=begin',
      "require 'redis'",
      '=end',
      'text = <<~TEXT',
      "  require 'redis'",
      'TEXT',
      'begin; require "net/ssh"; rescue LoadError; end',
      `puts "require 'redis'" unless line =~ /require 'redis'/`,
      'require name',
      "require 'json'",
      "require 'missing'",
      '__END__',
      "require 'redis'",
    ].join('\n'),
  });
  expect(places(found)).toEqual([
    'nokogiri lib/a.rb:1:1 prod require',
    'activesupport lib/a.rb:2:1 prod require',
    'aws-sdk-s3 lib/a.rb:3:1 prod dynamic',
    'net-ssh lib/a.rb:10:8 prod require',
  ]);
  expect(found).toMatchObject({ unknownDynamic: 1, unresolved: 1 });
});

const rails = {
  Gemfile: [
    "gem 'rails', '~> 7'",
    'gem "puma"',
    "gem 'tool', require: false",
    'group :development, :test do',
    "  gem 'rspec-rails'",
    'end',
    "gem 'faker', group: :test",
  ].join('\n'),
  'app/models/user.rb': 'class User\n  has_secure_password\n  def doc = Nokogiri::HTML(x)\nend',
};

test('Bundler.require loads the gems of the Gemfile, and Rails its own folders', async () => {
  const packages = ['rails', 'puma', 'tool', 'rspec-rails', 'faker', 'nokogiri'];
  const without = await analyze(packages, rails);
  expect(places(without)).toEqual(['nokogiri app/models/user.rb:3:13 prod mention']);
  const found = await analyze(packages, {
    ...rails,
    'config/application.rb': "require_relative 'boot'\nBundler.require(*Rails.groups)\n",
    'config/boot.rb': "require 'rails'",
  });
  expect(places(found)).toEqual([
    'rails Gemfile:1:1 prod require reached',
    'puma Gemfile:2:1 prod require reached',
    // It may be loaded by its name.
    'tool Gemfile:3:1 prod mention reached',
    'rspec-rails Gemfile:5:1 test require',
    'faker Gemfile:7:1 test require',
    'nokogiri app/models/user.rb:3:13 prod mention reached',
    'rails config/application.rb:2:18 prod mention reached',
    'rails config/boot.rb:1:1 prod require reached',
  ]);
});

test.each([
  ['a string without end', `x = "${'a'.repeat(100_000)}`],
  ['slashes', '/'.repeat(19_000)],
  ['here-documents', 'x <<A, <<B\n'.repeat(10_000)],
  ['blocks without end', `${'group :a do\n'.repeat(100_000)}`],
  ['names of objects', "require '__proto__'\nrequire 'constructor'\nConstructor.x"],
])('hostile text: %s', async (_, text) => {
  expect(await analyze(['redis'], { 'a.rb': text, Gemfile: text })).toMatchObject({ files: 2, uses: [] });
});
