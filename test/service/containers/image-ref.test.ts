import { describe, expect, test } from 'vitest';
import { familiarRef, normaliseRef, parseImageRef } from '../../../src/service/containers/image-ref.js';
import { isOfficial } from '../../../src/service/containers/official-images.js';

const digest = `sha256:${'ab'.repeat(32)}`;

describe('a name of an image is spelled in one way', () => {
  test.each([
    ['python:3.6', 'docker.io/library/python:3.6'],
    ['python', 'docker.io/library/python:latest'],
    ['  library/python:3.6 ', 'docker.io/library/python:3.6'],
    ['index.docker.io/python:3.6', 'docker.io/library/python:3.6'],
    ['bkimminich/juice-shop:v12.10.2', 'docker.io/bkimminich/juice-shop:v12.10.2'],
    ['GHCR.io/acme/shop', 'ghcr.io/acme/shop:latest'],
    ['localhost/shop:1', 'localhost/shop:1'],
    ['localhost:5000/shop', 'localhost:5000/shop:latest'],
    ['[::1]:5000/shop:2', '[::1]:5000/shop:2'],
    ['eu.gcr.io/a/b/c__d--e.f:T_1', 'eu.gcr.io/a/b/c__d--e.f:T_1'],
    // The tag names it; the digest is kept apart.
    [`python:3.6@${digest}`, 'docker.io/library/python:3.6'],
    [`python@${digest}`, `docker.io/library/python@${digest}`],
  ])('%s', (text, ref) => {
    expect(normaliseRef(text)).toBe(ref);
    expect(normaliseRef(ref)).toBe(ref);
  });

  test('the digest is told apart', () => {
    expect(parseImageRef(`python:3.6@${digest}`)).toMatchObject({ tag: '3.6', digest });
    expect(parseImageRef('python')).toMatchObject({ tag: 'latest', digest: null });
  });
});

test.each([
  '',
  ' ',
  'a b',
  'UPPER/case',
  'a//b',
  '/a',
  'a/',
  'a:',
  `a:${'t'.repeat(129)}`,
  'a@sha256:short',
  `a@${digest}@${digest}`,
  'https://example.com/a',
  '../../etc/passwd',
  'a/../b',
  '-a',
  `${'a/'.repeat(600)}a`,
])('%j is no name of an image', (text) => {
  expect(normaliseRef(text)).toBeNull();
});

test('official images are those of Docker Hub’s library', () => {
  const official = (text: string) => {
    const ref = parseImageRef(text);
    return ref !== null && isOfficial(ref);
  };
  expect(['python', 'docker.io/library/alpine:3'].map(official)).toEqual([true, true]);
  expect(['acme/python', 'ghcr.io/library/python', 'libraryx/python', 'shop'].map(official)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('a familiar name leaves out what Docker fills in', () => {
  expect(familiarRef('docker.io/library/python:3.6')).toBe('python:3.6');
  expect(familiarRef('docker.io/acme/shop:1')).toBe('acme/shop:1');
  expect(familiarRef('ghcr.io/library/shop:1')).toBe('ghcr.io/library/shop:1');
});
