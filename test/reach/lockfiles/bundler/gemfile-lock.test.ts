import { expect, test } from 'vitest';
import { asksIn, byKey, found, rangesIn, readFrom } from '../reading.js';

test('Gemfile.lock, with the groups of the Gemfile', async () => {
  const read = await readFrom({
    'Gemfile.lock': `GIT
  remote: https://example.org/x.git
  revision: abc
  specs:
    forked (1.0)

GEM
  remote: https://example.org/
  specs:
    nokogiri (1.16.0-arm64-darwin)
      racc (~> 1.4)
    nokogiri (1.16.0-x86_64-linux)
      racc (~> 1.4)
    racc (1.7.3)
    rspec (3.12.0)
      diff-lcs (>= 1.2)
    diff-lcs (1.5.0)
    pre (2.0.0.rc1)

PLATFORMS
  x86_64-linux

DEPENDENCIES
  forked!
  nokogiri (~> 1.16)
  rspec
  pre

BUNDLED WITH
   2.5.0
`,
    Gemfile: `source 'https://example.org'
gem 'nokogiri', '~> 1.16' # gem 'no'
gem "forked", git: 'x'
group :test do
  if ENV['X']
    gem 'rspec'
  end
end
gem 'pre', groups: [:development, :production]
`,
  });
  expect(byKey(read)).toEqual({
    nokogiri: { name: 'nokogiri', ...found('1.16.0', 'runtime', true, ['racc']) },
    racc: { name: 'racc', ...found('1.7.3', 'runtime', false) },
    rspec: { name: 'rspec', ...found('3.12.0', 'development', true, ['diff-lcs']) },
    'diff-lcs': { name: 'diff-lcs', ...found('1.5.0', 'development', false) },
    pre: { name: 'pre', ...found('2.0.0.rc1', 'runtime', true) },
  });
  expect(rangesIn(read)).toEqual(['nokogiri -> racc: ~> 1.4', 'rspec -> diff-lcs: >= 1.2']);
  expect(asksIn(read)).toEqual(['Gemfile -> nokogiri: ~> 1.16', 'Gemfile -> rspec: >= 0', 'Gemfile -> pre: >= 0']);
  expect(read.skipped).toEqual([{ reason: 'comes from Git', count: 1 }]);
  expect(read.unread).toEqual([{ ecosystem: 'RubyGems', name: 'forked', reason: 'git', stated: '1.0', at: 'line 5' }]);
});

test('a gem in a folder is unread, and the project’s own is so', async () => {
  const path = (remote: string) => `PATH\n  remote: ${remote}\n  specs:\n    own (1.0)\n\nDEPENDENCIES\n  own!\n`;
  expect((await readFrom({ 'Gemfile.lock': path('.') })).unread).toMatchObject([{ name: 'own', reason: 'own' }]);
  expect((await readFrom({ 'Gemfile.lock': path('vendor/own') })).unread).toMatchObject([
    { name: 'own', reason: 'path' },
  ]);
});
