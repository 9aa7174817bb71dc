/** An alert of ZAP's JSON report as tests write it. */
export function alert(pluginid: string, riskcode = '2', more: Readonly<Record<string, unknown>> = {}) {
  return {
    pluginid,
    alertRef: pluginid,
    alert: `alert ${pluginid}`,
    name: `alert ${pluginid}`,
    riskcode,
    confidence: '2',
    riskdesc: 'Medium (Medium)',
    desc: '<p>bad</p>',
    instances: [{ uri: 'https://shop.example.com/a', method: 'GET', param: 'q', attack: '', evidence: '' }],
    count: '1',
    solution: '<p>Mend it.</p><p>Use &lt;b&gt; &amp; more.</p>',
    cweid: '79',
    ...more,
  };
}

export function site(name: string, ...alerts: readonly unknown[]) {
  return { '@name': name, '@host': 'shop.example.com', '@port': '443', '@ssl': 'true', alerts };
}

export function zap(...sites: readonly unknown[]) {
  return { '@version': '2.16.1', '@generated': 'Sun, 22 Jun 2025 04:04:14', site: sites };
}

/** ZAP's XML report around its sites. */
export function zapXml(inside: string, before = '<?xml version="1.0"?>'): string {
  return `${before}<OWASPZAPReport programName="ZAP" version="2.16.1" generated="Sun, 22 Jun 2025 04:04:14">${inside}</OWASPZAPReport>`;
}
