function rule(id: string, cwe: number, text: string, severity: number | 'note') {
  return {
    id,
    shortDescription: { text },
    properties: {
      tags: ['security', `external/cwe/cwe-${cwe}`],
      ...(severity !== 'note' && { 'security-severity': severity.toFixed(1) }),
    },
    defaultConfiguration: { level: severity === 'note' ? 'note' : 'error' },
  };
}

const rules = [
  rule('sql-injection', 89, 'A database query is put together from user input', 8.8),
  rule('path-traversal', 22, 'A file name comes from user input', 7.5),
  rule('open-redirect', 601, 'The target of a redirect comes from user input', 6.1),
  rule('hard-coded-password', 798, 'A password stands in the source', 5.9),
  rule('weak-hash', 328, 'MD5 is no hash for secrets', 5.3),
  rule('log-injection', 117, 'Line breaks from user input reach the log', 5.3),
  rule('cookie-without-same-site', 1275, 'A cookie is set without SameSite', 'note'),
];

function result(ruleId: string, uri: string, startLine: number, text: string) {
  return {
    ruleId,
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine } } }],
  };
}

const lasting = [
  result('sql-injection', 'src/search/find-products.ts', 41, 'The query parameter `q` is part of the SQL text.'),
  result('open-redirect', 'src/account/log-in.ts', 27, 'Any address in `next` is redirected to.'),
  result('hard-coded-password', 'test/payment/refund.test.ts', 9, 'The payment sandbox’s password is in the test.'),
  result('cookie-without-same-site', 'src/cart/cart-cookie.ts', 14, 'The cart’s cookie goes along with any request.'),
  {
    ...result('weak-hash', 'src/account/avatar.ts', 6, 'An e-mail address is hashed with MD5.'),
    suppressions: [
      { kind: 'inSource', status: 'accepted', justification: 'The avatar service asks for MD5; it is no secret.' },
    ],
  },
];

function report(results: readonly object[]) {
  return { version: '2.1.0', runs: [{ tool: { driver: { name: 'Sample code scanner', rules } }, results }] };
}

/** Two scans of the shop's code in SARIF. Between them one finding was fixed, and one appeared. */
export const sarifReports = {
  first: report([
    ...lasting,
    result('path-traversal', 'src/images/thumbnail.ts', 18, 'The file that is read is named by the request.'),
  ]),
  second: report([
    ...lasting,
    result('log-injection', 'src/payment/receive-event.ts', 33, 'The event’s reference is logged as it came.'),
  ]),
};
