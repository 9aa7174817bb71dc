type Json = Readonly<Record<string, unknown>>;

/** A match as Grype writes it. */
export function grypeMatch(id: string, artifact: Json, more: Json = {}): Json {
  return {
    vulnerability: { id, severity: 'High', cvss: [], fix: { versions: [], state: 'unknown' }, ...more },
    relatedVulnerabilities: [],
    artifact: { version: '1.0.0', type: 'deb', locations: [], ...artifact },
  };
}

export function grypeReport(image: string, matches: readonly Json[], target: Json = {}) {
  return {
    matches,
    source: { type: 'image', target: { userInput: image, tags: [image], layers: [], ...target } },
    distro: { name: 'debian', version: '12' },
    descriptor: { name: 'grype', version: '0.92.0' },
  };
}
