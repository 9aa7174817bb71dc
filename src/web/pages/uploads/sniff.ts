import type { Kind } from './kinds.js';
import { topLevel } from './top-level.js';

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
