import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keyOf, makeBundle } from '../../../src/reach/knowledge/bundle.js';
import { dateOf, parseSet, readSet, shippedSet } from '../../../src/reach/knowledge/knowledge-set.js';
import { type UpdateOptions, updateSet } from '../../../src/reach/knowledge/update-set.js';
import { folderWith } from '../folder.js';
import { acme, bundleWith, newer, publisher, setWith, shippedDate, stranger } from './sets.js';

const folder = () => join(folderWith({}), 'knowledge');
const options = (text: string, given: Partial<UpdateOptions> = {}): UpdateOptions => ({
  ...{ name: 'set.json', text, key: null, folder: folder(), force: false },
  ...given,
});

/** Expects that a bundle is not taken, and that nothing is written. */
function refused(text: string, message: string | RegExp, given: Partial<UpdateOptions> = {}) {
  const all = options(text, given);
  expect(() => updateSet(all)).toThrow(message);
  expect(existsSync(all.folder)).toBe(false);
}

/** The bundle with another value in one of its fields. */
const changed = (text: string, change: Record<string, unknown>) => JSON.stringify({ ...JSON.parse(text), ...change });

describe('a set that is taken', () => {
  test('is in the folder as it was signed, and nothing else', () => {
    const text = bundleWith(newer, publisher.privateKey);
    const all = options(text, { key: publisher.publicKey });
    expect(updateSet(all).date).toBe('2030-01-01');
    expect(readdirSync(all.folder)).toEqual(['knowledge.json']);
    expect(readFileSync(join(all.folder, 'knowledge.json'), 'utf8')).toBe(text);
    expect(readSet(all.folder)).toEqual(setWith(newer));
  });

  test('says what differs from the shipped set, then from the one that it replaces', () => {
    const drivers = JSON.parse(shippedSet().get('javascript/drivers.json') ?? '');
    const { postgres, ...others } = drivers.rows;
    const rows = { ...others, acmedb: ['acme', 'acme2'], other: ['x'] };
    const files = {
      'javascript/frameworks/acme.json': acme,
      'javascript/frameworks/hubot.json': null,
      'javascript/drivers.json': JSON.stringify({ ...drivers, rows }),
    };
    const all = options(makeBundle(setWith(files), '2030-01-01', null));
    expect(postgres).toEqual(['pg']);
    expect(updateSet(all).changes).toEqual([
      'javascript/drivers.json: rows: 2 added, 1 removed',
      'javascript/frameworks/acme.json: new file, rows: 1 added, 0 removed',
      'javascript/frameworks/hubot.json: file removed, rows: 0 added, 1 removed',
    ]);
    expect(updateSet(all).changes).toEqual([]);
  });

  test('may be unsigned where no key is configured', () => {
    expect(updateSet(options(bundleWith({}))).changes).toEqual([]);
  });
});

describe('a bundle is refused', () => {
  const signed = bundleWith(newer, publisher.privateKey);
  const key = publisher.publicKey;

  test('that the configured key has not signed', () => {
    refused(bundleWith(newer), 'set.json: is not signed, and a key of its publisher is set', { key });
    refused(bundleWith(newer, stranger.privateKey), 'set.json: the configured key has not signed it', { key });
  });

  test('that was changed after it was signed', () => {
    const { manifest, files } = JSON.parse(signed);
    const other = manifest.replace('2030-01-01', '2031-01-01');
    refused(changed(signed, { manifest: other }), 'or it was changed since', { key });
    const tampered = { ...files, 'javascript/drivers.json': files['javascript/drivers.json'].replace('pg', 'evil') };
    refused(
      changed(signed, { files: tampered }),
      'set.json: javascript/drivers.json is not the file that the manifest names',
      { key },
    );
    const { 'javascript/drivers.json': _, ...fewer } = files;
    refused(changed(signed, { files: fewer }), 'set.json: javascript/drivers.json is missing', { key });
    refused(changed(signed, { files: { ...files, 'more.json': '{}' } }), 'more.json is not the file', { key });
  });

  test('that is none', () => {
    refused('<html>', 'set.json: is no JSON');
    refused('[]', /^set\.json: /);
    refused('{}', 'set.json: manifest: is required (string)');
    refused(changed(signed, { more: 1 }), 'set.json: more: is not known');
    refused(changed(signed, { '\u001b[31m': 1 }), /^set\.json: [^\p{Cc}]*is not known/u);
    refused(changed(signed, { manifest: '{"format":"other/1"}' }), 'set.json: manifest: format:');
  });

  test('with a path that leaves its folder', () => {
    refused(bundleWith({ '../evil.json': '{}' }), /files\.\.\.\/evil\.json/);
    refused(bundleWith({ '/evil.json': '{}' }), /evil\.json/);
  });

  test.each<[string, string, (file: Record<string, unknown>) => unknown, string]>([
    ['no JSON', 'folders.json', () => undefined, 'folders.json: is no JSON'],
    ['a missing field', 'folders.json', ({ source: _, ...file }) => file, 'folders.json: source: is required'],
    ['a field too many', 'folders.json', (file) => ({ ...file, x: 1 }), 'folders.json: x: is not known'],
    [
      'a row that is none',
      'javascript/drivers.json',
      (file) => ({ ...file, rows: { a: 'b' } }),
      'rows.a: must be a list',
    ],
    [
      'a list that is gone',
      'javascript/loaders.json',
      (file) => ({ ...file, lists: {} }),
      'lists.starters: is missing',
    ],
    ['another kind', 'javascript/drivers.json', ({ rows, ...file }) => ({ ...file, lists: rows }), 'rows: is missing'],
    [
      'a wrong pattern',
      'javascript/hosts.json',
      (file) => ({ ...file, lists: { silent: ['('], addingImports: [] } }),
      'javascript/hosts.json: lists: must have regular expressions',
    ],
    ['a wrong day', 'folders.json', (file) => ({ ...file, checked: 'soon' }), 'folders.json: checked:'],
    ['a wrong link', 'folders.json', (file) => ({ ...file, source: ['http://a.example'] }), 'folders.json: source.0:'],
    [
      'a wrong range',
      'javascript/frameworks/next.json',
      (file) => ({ ...file, loads: [{ versions: { next: 'new' } }] }),
      'javascript/frameworks/next.json: loads.0.versions.next:',
    ],
  ])('with a file that has %s', (_, path, change, message) => {
    const file = JSON.parse(shippedSet().get(path) ?? '');
    refused(bundleWith({ [path]: JSON.stringify(change(file)) ?? '{' }), message);
  });

  test('without a file that the program reads', () => {
    refused(bundleWith({ 'python/modules.json': null }), 'python/modules.json: is missing');
  });

  test('with more than a set ever has', () => {
    refused(' '.repeat(17 * 1024 ** 2), /larger than 16777216 bytes/);
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`x/f${index}.json`, acme]));
    refused(bundleWith(many), 'has more than 1000 files');
    const drivers = JSON.parse(shippedSet().get('javascript/drivers.json') ?? '');
    const rows = Object.fromEntries(Array.from({ length: 200_001 }, (_, index) => [`d${index}`, ['x']]));
    refused(bundleWith({ 'javascript/drivers.json': JSON.stringify({ ...drivers, rows }) }), 'more than 200000 rows');
  });

  test('whose date is not that of its files', () => {
    refused(makeBundle(setWith({}), '2030-01-01', null), /manifest: date: is 2030-01-01, and the files were last/);
  });
});

describe('an older set', () => {
  const older = () => {
    const set = new Map(
      [...shippedSet()].map(([path, text]) => [path, text.replace(/("checked": ")[^"]+/, '$12020-01-01')]),
    );
    return makeBundle(set, dateOf(parseSet(set)), null);
  };

  test('than the shipped one is refused, unless it is forced', () => {
    refused(older(), `is of 2020-01-01, older than the present set of ${shippedDate()}; --force takes it`);
    expect(updateSet(options(older(), { force: true })).date).toBe('2020-01-01');
  });

  test('than the one of the folder is refused, which stays', () => {
    const all = options(bundleWith(newer));
    updateSet(all);
    expect(() => updateSet({ ...all, text: bundleWith({}) })).toThrow('older than the present set of 2030-01-01');
    expect(readSet(all.folder)).toEqual(setWith(newer));
  });
});

test('a set that cannot be read is replaced as if it were not there', () => {
  const all = options(bundleWith({}));
  updateSet(all);
  writeFileSync(join(all.folder, 'knowledge.json'), 'half');
  expect(updateSet(all).changes).toEqual([]);
  expect(readSet(all.folder)).toEqual(shippedSet());
});

test('a folder that cannot be written stays as it is', () => {
  const file = join(folderWith({ file: 'kept' }), 'file');
  expect(() => updateSet(options(bundleWith({}), { folder: file }))).toThrow(
    /cannot be written \((?:EEXIST|ENOTDIR)\)/,
  );
  expect(readFileSync(file, 'utf8')).toBe('kept');
});

test('a key is one for Ed25519, in PEM or as a JWK', () => {
  const { privateKey, publicKey } = publisher;
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  expect(keyOf(pem, 'verify').equals(publicKey)).toBe(true);
  expect(keyOf(JSON.stringify(publicKey.export({ format: 'jwk' })), 'verify').equals(publicKey)).toBe(true);
  expect(keyOf(JSON.stringify(privateKey.export({ format: 'jwk' })), 'sign').equals(privateKey)).toBe(true);
  for (const text of ['', 'x', '{', '{"kty":"OKP"}', pem.slice(40)])
    expect(() => keyOf(text, 'verify')).toThrow('the key to verify with is neither PEM nor a JWK');
  expect(() => keyOf(pem, 'sign')).toThrow('the key to sign with is neither PEM nor a JWK');
  const other = generateKeyPairSync('x25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
  expect(() => keyOf(other, 'verify')).toThrow('the key to verify with is not one for Ed25519');
});
