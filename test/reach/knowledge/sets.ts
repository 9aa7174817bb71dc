import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type KnowledgeFiles, makeBundle } from '../../../src/reach/knowledge/bundle.js';
import { dateOf, parseSet, shippedSet } from '../../../src/reach/knowledge/knowledge-set.js';

export const publisher = generateKeyPairSync('ed25519');
export const stranger = generateKeyPairSync('ed25519');

/** A framework that nothing else knows; it loads what is in its folder. */
export const acme = JSON.stringify({
  ...{ name: 'Acme', source: ['https://acme.example/docs'], checked: '2030-01-01', packages: ['acme'] },
  loads: [{ files: ['acme/.+'] }],
});

/** The shipped set with these files, and without those that are null. */
export function setWith(files: Readonly<Record<string, string | null>>): KnowledgeFiles {
  const set = new Map(shippedSet());
  for (const [path, text] of Object.entries(files)) {
    if (text === null) set.delete(path);
    else set.set(path, text);
  }
  return set;
}

/** The bundle of such a set, dated as its files say, or as they would be if they were right. */
export function bundleWith(files: Readonly<Record<string, string | null>>, key: KeyObject | null = null): string {
  return makeBundle(setWith(files), files === newer ? '2030-01-01' : shippedDate(), key);
}

/** A newer set: one framework more. */
export const newer = { 'javascript/frameworks/acme.json': acme };

export const shippedDate = () => dateOf(parseSet(shippedSet()));
