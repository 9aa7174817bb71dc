export const shopUrl = 'https://shop.example.com';

/** Risk and confidence are ZAP's codes: 0 to 3, 1 (low) to 3 (high). */
interface Alert {
  readonly name: string;
  readonly risk: 0 | 1 | 2 | 3;
  readonly confidence: 1 | 2 | 3;
  readonly cwe: number;
  readonly solution: string;
  readonly found: readonly { readonly path: string; readonly param?: string }[];
}

function alert(pluginid: string, { name, risk, confidence, cwe, solution, found }: Alert) {
  return {
    pluginid,
    alertRef: pluginid,
    name,
    riskcode: `${risk}`,
    confidence: `${confidence}`,
    count: `${found.length}`,
    cweid: `${cwe}`,
    solution: `<p>${solution}</p>`,
    instances: found.map(({ path, param = '' }) => ({ uri: `${shopUrl}${path}`, method: 'GET', param })),
  };
}

const lasting = [
  alert('10062', {
    name: 'PII Disclosure',
    risk: 3,
    confidence: 3,
    cwe: 359,
    solution: 'Show the last four digits of a card alone.',
    found: [{ path: '/account/payment-methods' }],
  }),
  alert('10038', {
    name: 'Content Security Policy (CSP) Header Not Set',
    risk: 2,
    confidence: 3,
    cwe: 693,
    solution: 'Send a Content-Security-Policy that names where scripts may come from.',
    found: [{ path: '/' }, { path: '/cart' }, { path: '/account/log-in' }],
  }),
  alert('10054', {
    name: 'Cookie without SameSite Attribute',
    risk: 1,
    confidence: 2,
    cwe: 1275,
    solution: 'Set SameSite=Lax on the cart’s cookie.',
    found: [{ path: '/cart', param: 'cart' }],
  }),
  alert('10109', {
    name: 'Modern Web Application',
    risk: 0,
    confidence: 2,
    cwe: 0,
    solution: 'Nothing has to be done; a browser-driven crawl sees more of the shop.',
    found: [{ path: '/' }],
  }),
];

function report(alerts: readonly object[]) {
  return { '@version': '2.16.1', site: [{ '@name': shopUrl, alerts }] };
}

/** Two baseline scans of the running shop in ZAP's JSON. Between them one alert was fixed, and a new page got one. */
export const zapReports = {
  first: report([
    ...lasting,
    alert('10020', {
      name: 'Missing Anti-clickjacking Header',
      risk: 2,
      confidence: 2,
      cwe: 1021,
      solution: 'Forbid framing with frame-ancestors.',
      found: [{ path: '/checkout', param: 'x-frame-options' }],
    }),
  ]),
  second: report([
    ...lasting,
    alert('10021', {
      name: 'X-Content-Type-Options Header Missing',
      risk: 1,
      confidence: 2,
      cwe: 693,
      solution: 'Send X-Content-Type-Options: nosniff.',
      found: [{ path: '/gift-cards', param: 'x-content-type-options' }],
    }),
  ]),
};
