import { createHmac } from 'node:crypto';

/** Tokens made from a real one that must not be accepted: expired, signed by another key, unsigned, cut, of another member. */
export function forgedSessions(token: string, jwtSecret: string): Readonly<Record<string, string>> {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims: object = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const past = Math.floor(Date.now() / 1000) - 3600;
  const signed = (head: string, body: object, key: string) => {
    const text = `${head}.${encode(body)}`;
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  };
  return {
    'expired session': signed(header, { ...claims, iat: past - 3600, exp: past }, jwtSecret),
    'session signed by another key': signed(header, claims, 'another-key-that-nobody-has-given-out'),
    'unsigned session': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'session for another audience': signed(header, { ...claims, aud: 'another-api' }, jwtSecret),
    'session of another member': `${header}.${encode({ ...claims, sub: 'another' })}.${signature}`,
    'cut session': token.slice(0, -4),
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
