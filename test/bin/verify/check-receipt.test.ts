import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { BadReceipt, checkReceipt } from '../../../src/bin/verify/check-receipt.js';
import { receiptText } from '../../../src/bin/verify/receipt-text.js';
import { type ReceiptKey, receiptKeySet } from '../../../src/procedures/signed-receipt.js';

const day = 24 * 60 * 60;
const at = Math.floor(Date.UTC(2026, 10, 26) / 1000);
const now = new Date((at + day) * 1000);
const issuer = 'https://postern.example';

const statement = {
  question: { procedure: 'intelligence.findExposed', input: { cve: 'CVE-2024-3094' } },
  coverage: {
    status: 'not_affected',
    domains: [{ domain: 'dependencies', status: 'not_affected' }],
    feeds: [{ ecosystem: 'npm', as_of: '2026-11-25T00:00:00.000Z', stale: false }],
    known: true,
    gaps: [],
  },
  sees_only: null,
  feeds: [{ name: 'osv:npm', version: null, as_of: '2026-11-25T00:00:00.000Z', sha256: 'a'.repeat(64) }],
  sources: [
    {
      domain: 'dependencies',
      count: 4,
      sha256: 'b'.repeat(64),
      oldest: [
        {
          project_id: 'prj_1',
          source: 'package-lock.json\u001b[2J\u202e',
          at: '2026-11-01T00:00:00.000Z',
          digest: 'c'.repeat(64),
        },
      ],
    },
  ],
  postern: '0.1.0',
};

const header = { alg: 'ES256', typ: 'postern-receipt+jwt', kid: 'first' };
let pair: Awaited<ReturnType<typeof generateKeyPair>>;
let keys: readonly ReceiptKey[];
beforeAll(async () => {
  pair = await generateKeyPair('ES256', { extractable: true });
  const { x, y } = await exportJWK(pair.publicKey);
  const shape = { kty: 'EC', crv: 'P-256', x, y, kid: 'first', alg: 'ES256', use: 'sig' };
  ({ keys } = receiptKeySet.parse({ keys: [{ ...shape, iat: at - day, exp: at + 97 * day }] }));
});

function signed({ claims = {}, protectedHeader = header, key = pair.privateKey, iat = at } = {}): Promise<string> {
  return new SignJWT({ ...statement, ...claims })
    .setProtectedHeader(protectedHeader)
    .setIssuer(issuer)
    .setSubject('org_1')
    .setJti('rcp_1')
    .setIssuedAt(iat)
    .sign(key);
}

/** Why a receipt is bad. */
async function fault(jws: string, trusted: Partial<Parameters<typeof checkReceipt>[1]> = {}): Promise<string> {
  const error: unknown = await checkReceipt(jws, { keys, issuer, now, ...trusted }).catch((thrown: unknown) => thrown);
  if (!(error instanceof BadReceipt)) throw new Error(`no bad receipt: ${JSON.stringify(error)}`);
  return error.message;
}

test('a good receipt is told in words, and no text of it rules the terminal', async () => {
  const { claims, key } = await checkReceipt(await signed(), { keys, issuer, now });
  const text = receiptText(claims, key);
  expect(text).toContain('not_affected: dependencies not_affected');
  expect(text).toContain('intelligence.findExposed {"cve":"CVE-2024-3094"}');
  expect(text).toContain('At            2026-11-26T00:00:00Z');
  expect(text).toContain('dependencies: 4, sha256 bbb');
  expect(text).toContain('saw all projects');
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
});

describe('a receipt is bad', () => {
  test('that was changed after it was signed', async () => {
    const [head = '', body = '', signature = ''] = (await signed()).split('.');
    const said = Buffer.from(body, 'base64url').toString().replace('CVE-2024-3094', 'CVE-2021-44228');
    const changed = [head, Buffer.from(said).toString('base64url'), signature].join('.');
    expect(await fault(changed)).toBe(
      'the signature does not fit: it was changed after it was signed, or signed by another key',
    );
  });

  test('that another key has signed under a known name', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    expect(await fault(await signed({ key: privateKey }))).toMatch(/^the signature does not fit/);
  });

  test('that nobody has signed (alg none), or by a secret', async () => {
    const unsigned = new UnsecuredJWT(statement).setIssuer(issuer).setIssuedAt(at).encode();
    expect(await fault(unsigned)).toMatch(/^its header says "none" in place of ES256/);
    const byHmac = await new SignJWT(statement)
      .setProtectedHeader({ ...header, alg: 'HS256' })
      .sign(Buffer.alloc(32, 1));
    expect(await fault(byHmac)).toMatch(/^its header says "HS256"/);
  });

  test('whose key is not trusted, or was withdrawn', async () => {
    const other = await signed({ protectedHeader: { ...header, kid: 'other' } });
    expect(await fault(other)).toMatch(/^none of the 1 keys is "other"/);
  });

  test('of another issuer', async () => {
    expect(await fault(await signed(), { issuer: 'https://other.example' })).toBe(
      'it is of "https://postern.example", and not of https://other.example; --issuer takes another address',
    );
    await expect(checkReceipt(await signed(), { keys, issuer: null, now })).resolves.toBeDefined();
  });

  test('that says a time at which its key signed nothing, or one to come', async () => {
    const late = at + 100 * day;
    expect(await fault(await signed({ iat: late }), { now: new Date((late + day) * 1000) })).toMatch(
      /its key expired at 2027-03-03/,
    );
    expect(await fault(await signed({ iat: at - 3 * day }))).toMatch(/its key was made at 2026-11-25T00:00:00Z$/);
    expect(await fault(await signed({ iat: at + 2 * day }))).toMatch(/which is in the future$/);
  });

  test('that is something else: no JWS, another token of the same key, other claims', async () => {
    expect(await fault('yes')).toMatch(/^it is no JWS/);
    const { typ: _, ...untyped } = header;
    expect(await fault(await signed({ protectedHeader: { ...untyped, typ: 'JWT' } }))).toMatch(
      /^it is a signed "JWT", and no receipt/,
    );
    expect(await fault(await signed({ claims: { coverage: null } }))).toBe(
      'its claims are of no version known here: coverage',
    );
  });
});
