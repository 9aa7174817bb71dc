import { describe, expect, test } from 'vitest';
import { type BaseFacts, compareDeltas, replacementReason } from '../../../src/service/containers/alternatives.js';
import { normaliseRef } from '../../../src/service/containers/image-ref.js';

const image = (name: string, more: Partial<BaseFacts> = {}): BaseFacts => ({
  ref: normaliseRef(name) ?? name,
  os: null,
  runtime: null,
  ...more,
});

describe('a tag of the same repository', () => {
  test.each([
    ['python:3.6', 'python:3.7.10', 'newer tag of the same repository'],
    ['python:3.6', 'python:3.6-slim', 'slimmer variant of the same repository'],
    ['python:3.6', 'python:3.9-alpine3.18', 'newer tag and slimmer variant of the same repository'],
    ['python:3.6-slim', 'python:3.7', 'newer tag of the same repository'],
    ['python:3.6', 'python:latest', 'another tag of the same repository'],
    ['python:3', 'python:3.7.10', 'another tag of the same repository'],
    ['python:3.9-buster', 'python:3.9-bookworm', 'another tag of the same repository'],
    ['acme/base:v9', 'acme/base:v10', 'newer tag of the same repository'],
    ['python:3.7.10', 'python:3.6', null],
    ['python:3.10', 'python:3.9', null],
    ['python:3.6-alpine', 'python:3.6', null],
  ])('%s: %s', (from, to, why) => {
    expect(replacementReason(image(from), image(to))).toBe(why);
  });
});

describe('a step back', () => {
  test.each<[string, Partial<BaseFacts>, string, Partial<BaseFacts>]>([
    ['node:latest', { runtime: 'node 24.1.0' }, 'node:20', { runtime: 'node 20.18.1' }],
    ['node:lts', { runtime: 'node 24.1.0' }, 'node:20', {}],
    ['acme/base:1', { runtime: 'node 24.1.0' }, 'acme/base:2', { runtime: 'python 3.12.1' }],
    ['acme/base:1', { runtime: 'node 24.1.0' }, 'acme/base:2', { runtime: 'node 22.1.0' }],
    ['gcr.io/distroless/nodejs24-debian13', {}, 'node:20.18.1-bookworm-slim', { runtime: 'node 20.18.1' }],
    ['gcr.io/distroless/nodejs24-debian13', {}, 'python:3.12-slim', {}],
    ['registry.access.redhat.com/ubi9/nodejs-20', {}, 'node:18', {}],
    ['mcr.microsoft.com/dotnet/aspnet:8.0', {}, 'mcr.microsoft.com/dotnet/aspnet:6.0', {}],
    ['eclipse-temurin:21-jre', {}, 'openjdk:17', {}],
    ['python:3.9-bookworm', { os: 'debian 12.5' }, 'python:3.9-buster', { os: 'debian 10.13' }],
    ['acme/os:1', { os: 'alpine 3.19.1' }, 'acme/os:2', { os: 'alpine 3.18.4' }],
  ])('%s %j to %s %j is none to propose', (from, facts, to, others) => {
    expect(replacementReason(image(from, facts), image(to, others))).toBeNull();
  });

  test('is not a patch of the same release, nor an unknown version', () => {
    const debian = (os: string) => image('acme/os:1', { os });
    expect(replacementReason(debian('debian 12.5'), image('acme/os:2', { os: 'debian 12.1' }))).not.toBeNull();
    expect(replacementReason(image('acme/node-app:9'), image('acme/node-app:10'))).toBe(
      'newer tag of the same repository',
    );
    expect(replacementReason(image('gcr.io/distroless/nodejs24-debian13'), image('node:24-slim'))).toBe(
      'same language runtime: node 24',
    );
  });
});

describe('an image of another repository', () => {
  const node = image('node:18', { runtime: 'node 18.20.0', os: 'debian 12' });

  test('is one of the same runtime, no older', () => {
    expect(replacementReason(node, image('acme/base:1', { runtime: 'node 20.1.0' }))).toBe(
      'same language runtime: node 20.1.0',
    );
    expect(replacementReason(node, image('acme/base:1', { runtime: 'node 16.1.0' }))).toBeNull();
    expect(replacementReason(node, image('python:3', { runtime: 'python 3.9.1', os: 'debian 12' }))).toBeNull();
    expect(replacementReason(node, image('debian:12', { os: 'debian 12' }))).toBeNull();
  });

  test('is known by its name where its report has no history', () => {
    expect(replacementReason(image('openjdk:11'), image('eclipse-temurin:17-jre'))).toBe(
      'same language runtime: java 17',
    );
  });

  test('is one of the same system where neither has a runtime', () => {
    const debian = image('debian:11', { os: 'debian 11.2' });
    expect(replacementReason(debian, image('acme/base:1', { os: 'debian 12.5' }))).toBe('same OS family: debian 12.5');
    expect(replacementReason(debian, image('acme/base:1', { os: 'debian 10.1' }))).toBeNull();
    expect(replacementReason(debian, image('alpine:3', { os: 'alpine 3.19' }))).toBeNull();
    expect(replacementReason(debian, image('acme/base:1'))).toBeNull();
    const suse = 'suse linux enterprise server 15.5';
    expect(replacementReason(image('a', { os: suse }), image('b', { os: suse }))).toBe(`same OS family: ${suse}`);
  });
});

test('fewer RED come first, then fewer YELLOW, then fewer GREEN', () => {
  const deltas = [
    { red: 0, yellow: 0, green: 0 },
    { red: 1, yellow: -9, green: -9 },
    { red: -1, yellow: 9, green: 9 },
    { red: 0, yellow: -1, green: 9 },
    { red: 0, yellow: 0, green: -1 },
  ];
  expect([...deltas].sort(compareDeltas).map((delta) => deltas.indexOf(delta))).toEqual([2, 3, 4, 0, 1]);
});
