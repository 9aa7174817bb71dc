import { describe, expect, test } from 'vitest';
import { baseLineOf, printFrom, readStages } from '../../../src/service/containers/dockerfile.js';

const file = (...lines: readonly string[]) => lines.join('\n');
/** `${…}` */
const braced = (inner: string) => `\${${inner}}`;
const base = (...lines: readonly string[]) => {
  const found = baseLineOf(readStages(file(...lines)));
  return found === null ? null : `${found.line} ${found.ref}`;
};

describe('the line that decides what an image stands on', () => {
  test('is the only FROM', () => {
    expect(base('# syntax=docker/dockerfile:1', '', 'FROM node:20', 'RUN npm ci')).toBe('3 docker.io/library/node:20');
    expect(base('from\tghcr.io/acme/base@sha256:'.concat('0'.repeat(64)))).toBe(
      `1 ghcr.io/acme/base@sha256:${'0'.repeat(64)}`,
    );
  });

  test('is the final stage’s', () => {
    expect(
      base('FROM golang:1.22 AS build', 'RUN go build', 'FROM --platform=$TARGETPLATFORM alpine:3.19 as run'),
    ).toBe('3 docker.io/library/alpine:3.19');
  });

  test('is followed through stages by name and by number', () => {
    const stages = ['FROM debian:12 AS Base', 'FROM base AS deps', 'FROM golang AS build', 'FROM deps'];
    expect(base(...stages)).toBe('1 docker.io/library/debian:12');
    expect(base(...stages, 'FROM 2')).toBe('3 docker.io/library/golang:latest');
    // A stage knows only those before it: this `later` is an image.
    expect(base('FROM later', 'FROM alpine AS later', 'FROM 0')).toBe('1 docker.io/library/later:latest');
    expect(base('FROM self AS self')).toBe('1 docker.io/library/self:latest');
  });

  test('has its ARGs expanded', () => {
    const image = `node:${braced('VERSION')}${braced('VARIANT')}`;
    const head = ['ARG VERSION=20 VARIANT="-slim"', `ARG IMAGE=${image}`, 'ARG EMPTY=', 'ARG NONE'];
    const from = (text: string) => base(...head, `FROM ${text}`);
    expect(from('$IMAGE')).toBe('5 docker.io/library/node:20-slim');
    expect(from(`"${braced('IMAGE')}"`)).toBe('5 docker.io/library/node:20-slim');
    expect(from(`a:${braced('NONE:-1')}`)).toBe('5 docker.io/library/a:1');
    expect(from(`a:${braced('EMPTY:-2')}`)).toBe('5 docker.io/library/a:2');
    expect(from(`a:x${braced('EMPTY-2')}`)).toBe('5 docker.io/library/a:x');
    expect(from(`a:${braced('VERSION:+3')}`)).toBe('5 docker.io/library/a:3');
    expect(from(`a:x${braced('NONE+3')}`)).toBe('5 docker.io/library/a:x');
    expect(from('a:$NONE')).toBeNull();
  });

  test('does not see ARGs of a stage', () => {
    expect(base('FROM a', 'ARG X=1', 'FROM b:$X')).toBeNull();
  });

  test('is not there for scratch, and for what is no Dockerfile', () => {
    expect(base('FROM scratch', 'COPY a /a')).toBeNull();
    expect(base('RUN nothing', 'COPY FROM a')).toBeNull();
    expect(base('')).toBeNull();
    expect(base('FROM')).toBeNull();
    expect(base('FROM not:a:name')).toBeNull();
  });
});

describe('what only looks like a FROM', () => {
  test('in a comment, a continuation line or a here-document is none', () => {
    const text = file(
      '# FROM a',
      'FROM b',
      'RUN echo \\',
      '# FROM c',
      '',
      'FROM d',
      'COPY <<EOF <<-"END" /x/',
      'FROM e',
      'EOF',
      'FROM f',
      '\tEND',
      'RUN cat <<< x',
      'from \\',
      '  g AS last',
    );
    expect(readStages(text).map(({ from, line, name }) => [from, line, name])).toEqual([
      ['b', 2, null],
      ['g', 13, 'last'],
    ]);
  });

  test('the escape directive changes what continues a line', () => {
    expect(base('# escape=`', 'FROM a', 'RUN dir c:\\', 'RUN x `', 'FROM b')).toBe('2 docker.io/library/a:latest');
    // Below the directives it is a comment.
    expect(base('', '# escape=`', 'FROM a', 'RUN dir \\', 'FROM b')).toBe('3 docker.io/library/a:latest');
  });

  test('Windows’ line ends and a byte order mark are no part of it', () => {
    expect(base('\ufeffFROM a:1\r', 'RUN x\r')).toBe('1 docker.io/library/a:1');
  });
});

test('a FROM is written again with another image', () => {
  const [stage] = readStages('FROM --platform=linux/amd64   node:18 as web');
  expect(stage && printFrom(stage, 'node:20-slim')).toBe('FROM --platform=linux/amd64 node:20-slim AS web');
});

test.each([
  ['FROM', `${'$'}{A:-`],
  ['RUN', '<<A '],
  ['ARG', 'A="'],
  ['# escape=', ' '],
  ['FROM ', '\t'],
])('a long %s of %j is read in linear time', (instruction, part) => {
  const started = performance.now();
  // A million characters: steps for each pair of them would take hours.
  readStages(`${instruction} ${part.repeat(1_000_000 / part.length)}x\nFROM a`);
  expect(performance.now() - started).toBeLessThan(20_000);
});
