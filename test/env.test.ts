import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { environment, mailOf, oauthOf, readEnvironment } from '../src/env.js';

const example = parseEnv(readFileSync(resolve(import.meta.dirname, '../.env.example'), 'utf8'));

test('.env.example lists exactly the variables that are read, with their defaults', () => {
  expect(Object.keys(example).sort()).toEqual(Object.keys(environment.shape).sort());
  expect(environment.parse(example)).toEqual(environment.parse({}));
});

test('a wrong variable is named with what it takes, and its value is not repeated', () => {
  const read = () => readEnvironment({ PORT: 'eighty', JWT_SECRET: 'hunter2' }, '/nonexistent/.env');
  expect(read).toThrow(/PORT takes a whole number from 0 to 65535/);
  expect(read).toThrow(/JWT_SECRET takes a key of at least 32 characters, or two as new,old/);
  expect(read).not.toThrow(/hunter2/);
});

test.each([
  ['PORT', '65536'],
  ['PORT', '1.5'],
  ['PUBLIC_URL', 'posture.example.com'],
  ['ALLOWED_HOSTS', 'https://postern'],
  ['ALLOWED_HOSTS', 'postern:3000'],
  ['ALLOWED_ORIGINS', '*'],
  ['ALLOWED_ORIGINS', 'https://*.example.com'],
  ['ALLOWED_ORIGINS', 'https://app.example.com/path'],
  ['ALLOWED_ORIGINS', 'app.example.com'],
  ['ALLOWED_ORIGINS', 'null'],
  ['DATABASE_URL', 'mysql://u:p@h/d'],
  ['SERVICE_API_URL', 'ftp://h'],
  ['OAUTH_ISSUER', 'http://login.example.com'],
  ['AUDIT_SINK', 'http://siem.example.com/postern'],
  ['AUDIT_SINK', 'https://user:password@siem.example.com/'],
  ['AUDIT_SINK', 'stderr'],
  ['AUDIT_SINK_TOKEN', 'two words'],
  ['OPERATOR_KEY', 'short'],
  ['POSTERN_SAMPLE', 'maybe'],
  ['REGISTRY_URLS', 'npm'],
  ['WEBHOOK_ALLOWED_HOSTS', 'a b'],
  ['SMTP_URL', 'https://mail.example.com'],
  ['SMTP_URL', 'smtp://user:100%@mail.example.com'],
  ['SMTP_URL', 'smtp://mail.example.com?logger=true'],
  ['MAIL_FROM', 'Postern'],
  ['MAIL_FROM', 'Postern <postern@example.com>\nBcc: a@b.example'],
  ['KEEP_ALIVE_SECONDS', '0'],
  ['DRAIN_SECONDS', '-1'],
  ['TRUST_PROXY', 'yes'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s is answered with a sentence', (name, value) => {
  const read = () => readEnvironment({ [name]: value }, '/nonexistent/.env');
  expect(read).toThrow(new RegExp(`^The environment is not valid\\.\n  ${name} takes `));
});

test('a variable that is no longer read says what to do; an empty one is not set', () => {
  const read = (url: string) => readEnvironment({ READ_DATABASE_URL: url }, '/nonexistent/.env');
  expect(() => read('postgres://u:p@h/d')).toThrow(
    /^The environment is not valid\.\n {2}READ_DATABASE_URL is no longer supported: remove it, because all reads go to DATABASE_URL$/,
  );
  expect(read('').PORT).toBe(3000);
});

test('hosts and origins are listed by commas, origins as browsers write them', () => {
  const set = {
    ALLOWED_HOSTS: 'postern, [::1],',
    ALLOWED_ORIGINS: 'https://App.example.com:443/ , http://localhost:5173',
  };
  const { ALLOWED_HOSTS, ALLOWED_ORIGINS } = readEnvironment(set, '/nonexistent/.env');
  expect(ALLOWED_HOSTS).toEqual(['postern', '[::1]']);
  expect([...ALLOWED_ORIGINS]).toEqual(['https://app.example.com', 'http://localhost:5173']);
});

test('a .env file fills up what the environment leaves open', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postern-env-'));
  try {
    writeFileSync(join(folder, '.env'), 'PORT=4000\nHOST=127.0.0.2\nDATABASE_URL=\n');
    const { PORT, HOST, DATABASE_URL } = readEnvironment({ PORT: '5000' }, join(folder, '.env'));
    expect({ PORT, HOST, DATABASE_URL }).toEqual({ PORT: 5000, HOST: '127.0.0.2', DATABASE_URL: undefined });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an OAuth issuer needs the address of this server, for which its tokens are', () => {
  const issuer = 'https://login.example.com/';
  const read = (variables: Record<string, string>) => oauthOf(readEnvironment(variables, '/nonexistent/.env'));
  expect(read({ PUBLIC_URL: 'https://posture.example.com' })).toBeUndefined();
  expect(() => read({ OAUTH_ISSUER: issuer })).toThrow('OAUTH_ISSUER needs PUBLIC_URL');
  const resource = 'https://posture.example.com/mcp';
  const set = { OAUTH_ISSUER: issuer, PUBLIC_URL: 'https://posture.example.com' };
  const api = 'https://posture.example.com/api';
  expect(read(set)).toEqual({ issuer, audiences: { mcp: resource, api }, resource });
  expect(read({ ...set, OAUTH_AUDIENCE: 'api://postern' })).toEqual({
    issuer,
    audiences: { mcp: 'api://postern', api },
    resource,
  });
  const apart = { ...set, SERVICE_API_URL: 'https://service.example.com' };
  expect(() => read(apart)).toThrow('OAUTH_ISSUER with SERVICE_API_URL needs GATEWAY_SECRET');
  expect(read({ ...apart, GATEWAY_SECRET: 's'.repeat(32) })).toMatchObject({ issuer });
});

test('a token of the audit sink needs an address that it is for', () => {
  const read = (set: Record<string, string>) =>
    readEnvironment({ AUDIT_SINK_TOKEN: 'hunter2', ...set }, '/nonexistent/.env');
  for (const set of [{}, { AUDIT_SINK: 'stdout' }])
    expect(() => read(set)).toThrow(
      /^The environment is not valid\.\n {2}AUDIT_SINK_TOKEN needs AUDIT_SINK, the https address/,
    );
  for (const AUDIT_SINK of ['https://siem.example.com/postern', 'http://127.0.0.1:8088/'])
    expect(read({ AUDIT_SINK }).AUDIT_SINK).toBe(AUDIT_SINK);
});

test('a mail server needs an address that mails are from, and the one that links lead to', () => {
  const url = 'smtps://user:p%40ss@mail.example.com:465';
  const read = (variables: Record<string, string>) => mailOf(readEnvironment(variables, '/nonexistent/.env'));
  const [from, publicUrl] = ['Postern <postern@example.com>', 'https://posture.example.com'];
  expect(read({ MAIL_FROM: from, PUBLIC_URL: publicUrl })).toBeUndefined();
  expect(() => read({ SMTP_URL: url, PUBLIC_URL: publicUrl })).toThrow('SMTP_URL needs MAIL_FROM');
  expect(() => read({ SMTP_URL: url, MAIL_FROM: from })).toThrow('SMTP_URL needs PUBLIC_URL');
  expect(read({ SMTP_URL: url, MAIL_FROM: from, PUBLIC_URL: publicUrl })).toEqual({ url, from, publicUrl });
});
