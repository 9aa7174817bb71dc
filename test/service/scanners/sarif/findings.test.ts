import { describe, expect, test } from 'vitest';
import { Intake } from '../../../../src/service/scanners/intake.js';
import { readCodeScan } from '../../../../src/service/scanners/sarif/findings.js';
import { type Result, result, run, sarif } from './sarif-report.js';

const scanOf = (report: unknown) => readCodeScan(report, new Intake('code'));

async function findings(results: readonly Result[], more: Result = {}, rules: readonly Result[] = []) {
  return (await scanOf(sarif(run(results, more, rules)))).findings;
}

/** The one finding of a report with one result. */
async function finding(one: Result, more: Result = {}, rules: readonly Result[] = []) {
  const [found] = await findings([one], more, rules);
  if (found === undefined) throw new Error('nothing was found');
  return found;
}

const identities = async (results: readonly Result[], more: Result = {}) =>
  (await findings(results, more)).map(({ identity }) => identity.toString('hex')).sort();

describe('severity and tier', () => {
  test.each([
    ['10', 'error', 'critical', 'RED'],
    ['9.0', 'note', 'critical', 'RED'],
    ['8.9', 'note', 'high', 'RED'],
    ['7', 'note', 'high', 'RED'],
    ['6.9', 'error', 'medium', 'YELLOW'],
    ['4.0', 'error', 'medium', 'YELLOW'],
    ['3.9', 'error', 'low', 'GREEN'],
    ['0.1', 'error', 'low', 'GREEN'],
    ['0.0', 'error', 'info', 'GREEN'],
    [undefined, 'error', 'high', 'RED'],
    [undefined, 'warning', 'medium', 'YELLOW'],
    [undefined, 'note', 'low', 'GREEN'],
    [undefined, 'none', 'info', 'GREEN'],
    ['high', 'note', 'low', 'GREEN'],
    ['11', 'note', 'low', 'GREEN'],
    ['', 'note', 'low', 'GREEN'],
  ])('security-severity %s and level %s: %s, %s', async (score, level, severity, tier) => {
    const properties = { 'security-severity': score };
    expect(await finding(result(1, { level, properties }))).toMatchObject({ severity, tier });
    expect(await finding(result(1, { level }), {}, [{ id: 'R1', properties }])).toMatchObject({ severity, tier });
  });

  test('the result’s own score goes before its rule’s, which may be a number', async () => {
    const rules = [{ id: 'R1', properties: { 'security-severity': 9.8 } }];
    expect(await finding(result(1), {}, rules)).toMatchObject({ severity: 'critical' });
    expect(await finding(result(1, { properties: { 'security-severity': '5' } }), {}, rules)).toMatchObject({
      severity: 'medium',
    });
  });

  test('the level is the result’s, else its rule’s, else warning', async () => {
    const rules = [{ id: 'R1', defaultConfiguration: { level: 'error' } }];
    expect(await finding(result(1, { level: 'note' }), {}, rules)).toMatchObject({ severity: 'low' });
    expect(await finding(result(1), {}, rules)).toMatchObject({ severity: 'high' });
    expect(await finding(result(1))).toMatchObject({ severity: 'medium' });
  });

  test.each(['open', 'review', 'informational'])('kind %s is info', async (kind) => {
    const properties = { 'security-severity': '9.8' };
    expect(await finding(result(1, { kind, properties }))).toMatchObject({ severity: 'info', tier: 'GREEN' });
  });

  test.each(['pass', 'notApplicable'])('kind %s is no finding', async (kind) => {
    expect(await findings([result(1, { kind })])).toEqual([]);
  });
});

describe('suppressions', () => {
  test.each([
    [[{ kind: 'inSource' }], true],
    [[{ kind: 'external', status: 'accepted' }], true],
    [[{ kind: 'external', state: 'accepted' }], true],
    [[{ kind: 'external', status: 'underReview' }], false],
    [[{ kind: 'external', status: 'rejected' }, { kind: 'inSource' }], false],
    [[], false],
    [null, false],
  ])('%j', async (suppressions, suppressed) => {
    expect((await finding(result(1, { suppressions }))).suppressed).toBe(suppressed);
  });
});

describe('identity', () => {
  test('is not the line, the numbers of the message or the columns', async () => {
    const before = [result(10, { message: { text: 'line 10 is wrong' } }), result(20)];
    const after = [result(40, { message: { text: 'line 40 is wrong' } }), result(50)];
    expect(await identities(after)).toEqual(await identities(before));
  });

  test('is the rule, the file and the message', async () => {
    const all = [
      result(1),
      result(1, { ruleId: 'R2' }),
      result(1, {}, 'src/b.ts'),
      result(1, { message: { text: 'other' } }),
    ];
    expect(new Set(await identities(all)).size).toBe(4);
  });

  test('is the code rather than the message, whatever its indentation', async () => {
    const code = (text: string, message: string) =>
      result(1, {
        message: { text: message },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'a.ts' },
              region: { startLine: 1, snippet: { text } },
              contextRegion: { snippet: { text: message } },
            },
          },
        ],
      });
    expect(await identities([code('\teval(x)\n', 'a')])).toEqual(await identities([code('    eval(x)', 'b')]));
    expect(await identities([code('eval(x)', 'a')])).not.toEqual(await identities([code('eval(y)', 'a')]));
  });

  test('is the tool’s fingerprint before all', async () => {
    const printed = (value: string, line: number) =>
      result(line, { fingerprints: { 'id/v1': value, 'id/v2': `${line}` } });
    const [a, b] = ['0123456789abcdef', 'fedcba9876543210'];
    expect(await identities([printed(a, 1)])).toEqual(
      await identities([{ ...printed(a, 2), message: { text: 'other' }, locations: [] }]),
    );
    expect(await identities([printed(a, 1)])).not.toEqual(await identities([printed(b, 1)]));
  });

  test('is no fingerprint that is none', async () => {
    const locked = { fingerprints: { 'matchBasedId/v1': 'requires login' } };
    const [one, other] = [result(1, locked), result(1, { ...locked, message: { text: 'other' } })];
    expect(new Set(await identities([one, other])).size).toBe(2);
    expect(await identities([one])).toEqual(await identities([result(1)]));
  });

  test('is a partial fingerprint of the code, with rule and file, and none of the file or the commit', async () => {
    const partial = (partialFingerprints: Result, text = 'same') =>
      result(1, { partialFingerprints, message: { text } });
    const hash = { primaryLocationLineHash: '39fa2ee980eb94b0:1' };
    expect(await identities([partial(hash)])).toEqual(await identities([partial(hash, 'other')]));
    expect(await identities([partial({ scanFileHash: 'f196e70ba8d8dace', commitSha: '6d127980966808f7' })])).toEqual(
      await identities([partial({ scanFileHash: '0000000000000000', commitSha: '1111111111111111' })]),
    );
  });

  test('of several like results is their ordinal in the file, in whatever order they come', async () => {
    const three = [result(5), result(9), result(2)];
    expect(new Set(await identities(three)).size).toBe(3);
    expect(await identities(three.toReversed())).toEqual(await identities(three));
    const kept = new Set(await identities(three));
    expect((await identities(three.slice(1))).filter((each) => kept.has(each))).toHaveLength(2);
  });
});

describe('the file', () => {
  const bases = {
    originalUriBaseIds: {
      ROOT: { uri: 'file:///build/work/' },
      SRC: { uri: 'src/', uriBaseId: 'ROOT' },
      LOOP: { uri: 'a/', uriBaseId: 'LOOP2' },
      LOOP2: { uri: 'b/', uriBaseId: 'LOOP' },
    },
    invocations: [{ workingDirectory: { uri: 'file:///home/me/shop' } }],
    artifacts: [{ location: { uri: 'from/the/table.ts' } }],
  };
  test.each([
    [{ uri: 'src/a.ts' }, 'src/a.ts'],
    [{ uri: './src//./a.ts' }, 'src/a.ts'],
    [{ uri: 'src/a.ts', uriBaseId: '%SRCROOT%' }, 'src/a.ts'],
    [{ uri: 'a.ts', uriBaseId: 'SRC' }, 'src/a.ts'],
    [{ uri: 'a.ts', uriBaseId: 'ROOT' }, 'a.ts'],
    [{ uri: 'a.ts', uriBaseId: 'constructor' }, 'a.ts'],
    [{ uri: 'file:///build/work/src/a.ts' }, 'src/a.ts'],
    [{ uri: 'file:///home/me/shop/src/a.ts' }, 'src/a.ts'],
    [{ uri: 'file:///home/me/shopping/a.ts' }, 'home/me/shopping/a.ts'],
    [{ uri: 'file:///C:/code/file1.c' }, 'C:/code/file1.c'],
    [{ uri: 'src\\a.ts' }, 'src/a.ts'],
    [{ uri: 'my%20src/%C3%A4.ts' }, 'my src/ä.ts'],
    [{ uri: '100%/a.ts' }, '100%/a.ts'],
    [{ index: 0 }, 'from/the/table.ts'],
    [{ index: 7 }, null],
    [{}, null],
  ])('%j is %s', async (artifactLocation, file) => {
    const { details } = await finding(result(1, { locations: [{ physicalLocation: { artifactLocation } }] }), bases);
    expect(details).toMatchObject({ file });
  });

  test('of bases that go in a circle ends somewhere', async () => {
    const artifactLocation = { uri: 'c.ts', uriBaseId: 'LOOP' };
    const { details } = await finding(result(1, { locations: [{ physicalLocation: { artifactLocation } }] }), bases);
    expect(details['file']).toMatch(/^[ab]\/.*\/c\.ts$/);
  });

  test('is not known where there is no location', async () => {
    expect((await finding(result(1, { locations: null }))).details).toMatchObject({ file: null, line: null });
  });
});

describe('rules', () => {
  const rule = {
    id: 'R1',
    name: 'NoEval',
    shortDescription: { text: 'Do not\n use eval' },
    helpUri: 'https://example.com/R1',
    messageStrings: { default: { text: '{0} calls {1} {2}' } },
    properties: { tags: ['security', 'external/cwe/cwe-079', 'CWE-95: Eval', 'owasp'], cwe: ['CWE-20: Input'] },
    relationships: [{ target: { id: '94', toolComponent: { name: 'CWE' } } }],
  };

  test('give title, help, weaknesses and the words of a message', async () => {
    const found = await finding(
      result(3, {
        message: { id: 'default', arguments: ['main', 'eval'] },
        taxa: [{ id: '116', toolComponent: { name: 'cwe' } }],
      }),
      {},
      [rule],
    );
    expect(found).toMatchObject({
      tool: 'Checker',
      rule_id: 'R1',
      title: 'Do not use eval',
      details: {
        message: 'main calls eval {2}',
        file: 'src/a.ts',
        line: 3,
        cwes: ['CWE-79', 'CWE-95', 'CWE-20', 'CWE-116', 'CWE-94'],
        help_url: 'https://example.com/R1',
      },
    });
  });

  test.each([
    [{ ruleId: undefined, ruleIndex: 0 }, 'R1'],
    [{ ruleId: undefined, rule: { index: 0 } }, 'R1'],
    [{ ruleId: undefined, rule: { id: 'R1' } }, 'R1'],
    [{ ruleId: 'R1/strict' }, 'R1/strict'],
  ])('are found by %j', async (reference, ruleId) => {
    expect(await finding(result(1, reference), {}, [rule])).toMatchObject({
      rule_id: ruleId,
      title: 'Do not use eval',
    });
  });

  test('may be an extension’s', async () => {
    const tool = {
      driver: { name: 'Checker' },
      extensions: [{ name: 'more', rules: [{ id: 'X9', name: 'Extended' }] }],
    };
    const reference = { rule: { index: 0, toolComponent: { index: 0 } } };
    expect(await finding(result(1, { ruleId: undefined, ...reference }), { tool })).toMatchObject({
      rule_id: 'X9',
      title: 'Extended',
    });
  });

  test('may be missing: the message is the title then', async () => {
    expect(await finding(result(1, { ruleId: undefined }))).toMatchObject({
      rule_id: 'unspecified',
      title: 'this is wrong',
    });
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'not an address'])('have no help at %s', async (helpUri) => {
    expect((await finding(result(1), {}, [{ ...rule, helpUri }])).details).toMatchObject({ help_url: null });
  });
});

describe('what many results share, or repeat, does not multiply', () => {
  test.each([
    ['a long text of their rule', { id: 'R1', shortDescription: { text: 'long '.repeat(2e5) } }, {}],
    ['thousands of tags', { id: 'R1', properties: { tags: Array.from({ length: 1e5 }, (_, n) => `cwe-${n}`) } }, {}],
    [
      'thousands of texts',
      { id: 'R1', messageStrings: Object.fromEntries(Array.from({ length: 1e5 }, (_, n) => [`m${n}`, { text: 'a' }])) },
      { message: { id: 'm7' } },
    ],
    [
      'a long argument in many places',
      { id: 'R1', messageStrings: { m: { text: '{0}'.repeat(1e5) } } },
      { message: { id: 'm', arguments: ['x'.repeat(1e5)] } },
    ],
  ])(
    '%s',
    async (_, rule, more) => {
      const found = await findings(
        Array.from({ length: 1_000 }, (_, n) => result(n + 1, more)),
        {},
        [rule],
      );
      expect(found).toHaveLength(1_000);
      for (const { title, details } of found) {
        expect(title.length).toBeLessThanOrEqual(200);
        expect(JSON.stringify(details).length).toBeLessThan(4_000);
      }
    },
    60_000,
  );

  test('long addresses and many roots', async () => {
    const uri = `file:///${'a/'.repeat(2e5)}`;
    const bases = Object.fromEntries(Array.from({ length: 1e4 }, (_, n) => [`B${n}`, { uri }]));
    const location = { physicalLocation: { artifactLocation: { index: 0 } } };
    const found = await findings(
      Array.from({ length: 1_000 }, (_, n) => result(n, { locations: [location] })),
      { originalUriBaseIds: bases, artifacts: [{ location: { uri } }] },
    );
    for (const { details } of found) expect(String(details['file']).length).toBeLessThanOrEqual(1024);
  });
});

describe('a scan', () => {
  test('began with its first run; its tools are those that ran to the end', async () => {
    const at = (startTimeUtc: string, executionSuccessful?: boolean) => ({
      invocations: [{ startTimeUtc, executionSuccessful }],
    });
    const named = (name: string, more: Result) => ({ ...run([result(1)], more), tool: { driver: { name } } });
    const scan = await scanOf(
      sarif(
        named('A', at('2026-01-02T03:04:05Z', true)),
        named('B', at('2026-01-01T00:00:00Z')),
        named('C', at('nonsense', false)),
      ),
    );
    expect(scan).toMatchObject({
      searched: [{ tool: 'A' }, { tool: 'B' }],
      startedAt: new Date('2026-01-01T00:00:00Z'),
    });
    expect(scan.findings.map(({ tool }) => tool)).toEqual(['A', 'B', 'C']);
  });

  test('tells analyses of one tool apart by their category', async () => {
    const of = async (id: string) => (await scanOf(sarif(run([], { automationDetails: { id } })))).searched;
    expect(await of('/language:python/')).toMatchObject([{ tool: 'Checker (/language:python)' }]);
    expect(await of('nightly/2026-01-01')).toMatchObject([{ tool: 'Checker (nightly)' }]);
    expect(await of('run-7')).toMatchObject([{ tool: 'Checker' }]);
  });

  test('leaves out a run without results', async () => {
    const { searched } = await scanOf(sarif(run([]), { tool: { driver: { name: 'Broken' } } }));
    expect(searched).toEqual([{ tool: 'Checker', scope: [], parts: null }]);
  });
});
