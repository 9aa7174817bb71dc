import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { textAt } from '../../support/at.js';
import { startService, type TestService } from '../../support/service.js';

let service: TestService;
beforeEach(async () => {
  service = await startService({ trustProxy: 1 });
});
afterEach(() => service.close());

const signIn = (email: string, password: string, from: string) =>
  service.call(null, 'POST', '/api/session', { email, password }, { 'x-forwarded-for': from });

describe('guessing passwords', () => {
  test('from all over one IPv6 /48 is stopped there; members sign in for the first time elsewhere', async () => {
    const { member } = await service.newOrganisation();
    const statuses = [];
    for (let n = 0; n < 110; n += 1) {
      const { status } = await signIn(`${randomUUID()}@example.com`, 'a guess', `2001:db8:7:${n.toString(16)}::1`);
      statuses.push(status);
    }
    expect(statuses).toEqual([...Array(100).fill(401), ...Array(10).fill(429)]);
    expect((await signIn(member.email, member.password, '2001:db8:7:ffff::1')).status).toBe(429);
    expect((await signIn(member.email, member.password, '2001:db8:8::1')).status).toBe(200);
  });

  test('of many accounts from one address is stopped there, and nowhere else', async () => {
    const { member } = await service.newOrganisation();
    const answers = [];
    for (let account = 0; account < 40; account += 1) {
      answers.push(await signIn(`${randomUUID()}@example.com`, 'a common password', '192.0.2.1'));
    }
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(30);
    const stopped = answers.filter(({ status }) => status === 429);
    expect(stopped).toHaveLength(10);
    expect(Number(stopped[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await signIn(member.email, member.password, '192.0.2.1')).status).toBe(429);
    expect((await signIn(member.email, member.password, '192.0.2.2')).status).toBe(200);
  });

  test('of one account from many addresses is stopped, alike for an unknown account; the member still signs in', async () => {
    const { member } = await service.newOrganisation();
    const home = '203.0.113.9';
    expect((await signIn(member.email, member.password, home)).status).toBe(200);
    const statusesOf = async (email: string) => {
      const statuses: number[] = [];
      for (let address = 0; address < 30; address += 1) {
        statuses.push((await signIn(email, 'wrong', `198.51.100.${address}`)).status);
      }
      return statuses;
    };
    const known = await statusesOf(member.email);
    expect(known).toEqual([...Array(20).fill(401), ...Array(10).fill(429)]);
    expect(await statusesOf(`${randomUUID()}@example.com`)).toEqual(known);
    expect((await signIn(member.email, member.password, '198.51.100.77')).status).toBe(429);
    expect((await signIn(member.email, member.password, home)).status).toBe(200);
  });

  test('is stopped by address after a restart too, and the places of before are still known', async () => {
    const { member } = await service.newOrganisation();
    const home = '2001:db8:7:7::1';
    expect((await signIn(member.email, member.password, home)).status).toBe(200);
    await service.close();
    service = await startService({ trustProxy: 1, jwtKey: service.jwtKey });
    for (let address = 0; address < 20; address += 1) await signIn(member.email, 'wrong', `198.51.100.${address}`);
    expect((await signIn(member.email, member.password, '2001:db8:8:8::1')).status).toBe(429);
    const again = await signIn(member.email, member.password, '2001:db8:7:7:9:9:9:9');
    expect(again.status).toBe(200);
    expect((await service.call(textAt(again.body, 'token'), 'GET', '/api/session')).status).toBe(200);
  });
});

test('a hundred sign-ins at once are answered, 503 with Retry-After for those that would wait too long', async () => {
  const { member, readKey } = await service.newOrganisation();
  const flood = Array.from({ length: 100 }, (_, n) => signIn(`${n}@example.com`, 'wrong', `198.51.100.${n % 4}`));
  const read = await service.call(readKey, 'GET', '/api/org');
  const answers = await Promise.all(flood);
  expect(read.status).toBe(200);
  expect(answers.every(({ status }) => [401, 429, 503].includes(status))).toBe(true);
  const busy = answers.filter(({ status }) => status === 503);
  expect(busy.length).toBeGreaterThan(0);
  expect(busy.every(({ headers }) => headers.get('retry-after') !== null)).toBe(true);
  expect((await signIn(member.email, member.password, '203.0.113.1')).status).toBe(200);
});
