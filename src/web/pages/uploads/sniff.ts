/** What a file is by its content. `lockfile`: only the command-line tool reads those. Null: not recognised. */
export type Sniffed = Kind | 'lockfile' | null;

const lockfiles =
  /^(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|uv\.lock|poetry\.lock|pdm\.lock|pipfile\.lock|pylock(\..+)?\.toml|requirements.*\.txt|go\.(mod|sum)|cargo\.lock|gemfile\.lock|gems\.locked|composer\.lock|.*gradle\.lockfile|pom\.xml|packages\.lock\.json)$/i;

/** Recognises a file by the first part of its text. Lock files are known by name: their service reads packages only. */
export function sniff(name: string, text: string): Sniffed {
  if (lockfiles.test(name)) return 'lockfile';
  const start = text.trimStart();
  return start.startsWith('<') ? sniffXml(start) : sniffJson(start);
}

function sniffXml(text: string): Sniffed {
  const head = text.slice(0, 4_096);
  if (head.includes('<OWASPZAPReport')) return 'zap';
  return /<(\w+:)?bom[\s>]/.test(head) && head.includes('cyclonedx.org') ? 'cyclonedx' : null;
}

function sniffJson(text: string): Sniffed {
  const keys = topLevel(text);
  const is = (key: string, pattern: RegExp) => pattern.test(keys.get(key) ?? '');
  if (is('schema', /^reach\//)) return 'usage';
  if (is('bomFormat', /^CycloneDX$/))
    return keys.has('components') || !keys.has('vulnerabilities') ? 'cyclonedx' : 'vex';
  if (keys.has('spdxVersion') || is('@context', /spdx\.org/)) return 'spdx';
  if (is('@context', /openvex/)) return 'vex';
  if (keys.has('document') && (keys.has('product_tree') || keys.has('vulnerabilities'))) return 'vex';
  if (keys.has('runs')) return 'sarif';
  if (keys.has('SchemaVersion') || keys.has('ClusterName')) return 'trivy';
  if (keys.has('matches')) return 'grype';
  return keys.has('site') ? 'zap' : null;
}

/**
 * The keys of a JSON object with the values of those that are texts, as far as the text goes. It may end anywhere, as the
 * first part of a large file does. Empty where it begins with something else.
 */
export function topLevel(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let depth = 0;
  let key: string | null = null;
  // Texts, and the marks between them; what else there is (numbers, words, spaces) does not matter.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs)) {
    if (token === '{' || token === '[') {
      if (depth === 0 && token === '[') return found;
      depth += 1;
    } else if (token === '}' || token === ']') {
      depth -= 1;
      if (depth === 0) return found;
    } else if (depth === 1) {
      key = readToken(found, token, key);
    }
  }
  return found;
}

/** Takes a token of the object itself. Answers the key whose value comes next. */
function readToken(found: Map<string, string>, token: string, key: string | null): string | null {
  if (token === ',') return null;
  if (token === ':') return key;
  if (key === null) {
    const name = token.slice(1, -1);
    found.set(name, '');
    return name;
  }
  found.set(key, token.slice(1, -1));
  return key;
}

/** What can be uploaded here, with the procedure that takes it and what that asks for. */
export const kinds = {
  sarif: { word: 'SARIF report of code', path: 'sast.uploadReport', asks: 'source_repo' },
  zap: { word: 'ZAP report of a site', path: 'dast.uploadReport', asks: 'mode' },
  trivy: { word: 'Trivy report of images', path: 'containers.uploadReport', asks: 'image' },
  grype: { word: 'Grype report of an image', path: 'containers.uploadReport', asks: 'image' },
  cyclonedx: { word: 'CycloneDX SBOM', path: 'techStack.uploadSbom', asks: 'source' },
  spdx: { word: 'SPDX SBOM', path: 'techStack.uploadSbom', asks: 'source' },
  usage: { word: 'Usage report (reach/1)', path: 'reachability.uploadUsageReport', asks: null },
  vex: { word: 'VEX document', path: 'vex.upload', asks: 'product' },
} as const;

export type Kind = keyof typeof kinds;

export const kindNames = Object.keys(kinds).filter(isKind);

export function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name);
}

/** Bytes of the largest upload; the service refuses larger ones, too. */
export const maxBytes = 64 * 1024 * 1024;
