import { normaliseName, parsePurl } from '../../shared/packages/purl.js';
import { formatCount } from '../../shared/text/number-text.js';
import { plainText } from '../../shared/text/plain-text.js';
import type { WireDependency, WireReport } from '../analysis/site-evidence.js';
import { chainText } from './chain-text.js';

/** Packages suggested where the name is not found. */
const maxSuggestions = 5;

/** The versions of a package in a report. `query` is a name, `name@version` or a package URL. */
export function findPackage({ dependencies }: WireReport, query: string): WireDependency[] {
  const wanted = query.startsWith('pkg:') ? parsePurl(query) : splitName(query);
  if (wanted === null) return [];
  return dependencies.filter(({ purl }) => {
    const found = parsePurl(purl);
    if (found === null) return false;
    const keyOf = (name: string) => normaliseName(found.ecosystem, name).toLowerCase();
    return keyOf(found.name) === keyOf(wanted.name) && (wanted.version === null || found.version === wanted.version);
  });
}

/** Package names that contain the asked name, or are contained in it. */
export function similarNames({ dependencies }: WireReport, query: string): string[] {
  const { name } = splitName(query);
  const wanted = name.toLowerCase();
  const names = new Set(dependencies.flatMap(({ purl }) => parsePurl(purl)?.name ?? []));
  return [...names]
    .filter(
      (known) => known.toLowerCase().includes(wanted) || (known.length > 3 && wanted.includes(known.toLowerCase())),
    )
    .sort((a, b) => a.length - b.length)
    .slice(0, maxSuggestions);
}

function splitName(query: string): { readonly name: string; readonly version: string | null } {
  const at = query.lastIndexOf('@');
  return at <= 0 ? { name: query, version: null } : { name: query.slice(0, at), version: query.slice(at + 1) };
}

/** One version of a package as people read it: how it is used, where, which symbols, what loads it or brings it in, how sure that is. */
export function explanation(dependency: WireDependency): string {
  const { purl, usage, scope, direct, sites, counts, symbols, symbols_complete, paths, introduced_by } = dependency;
  const all = counts.prod + counts.test + counts.config + counts.script;
  const { confidence, gaps = [], chain = [] } = dependency;
  const sure = confidence === undefined ? '' : `, confidence ${confidence}`;
  const lines = [`${purl}: ${usage} (${scope}, ${direct ? 'direct' : 'not direct'}${sure})`];
  if (chain.length > 0) lines.push(`  loaded by: ${chainText(chain)}`);
  for (const site of sites) {
    const marks = [
      site.role,
      site.kind,
      ...(site.reached ? ['reached'] : []),
      ...(site.type_only ? ['types only'] : []),
    ];
    const names = site.symbols.length > 0 ? `: ${site.symbols.join(', ')}` : '';
    lines.push(`  ${site.file}:${site.line}:${site.column} (${marks.join(', ')})${names}`);
  }
  if (all > sites.length) lines.push(`  and ${formatCount(all - sites.length)} more places`);
  if (symbols.length > 0) lines.push(`  symbols: ${symbols.join(', ')}${symbols_complete ? '' : ', and maybe more'}`);
  for (const gap of gaps) lines.push(`  a use may be hidden: ${gap}`);
  for (const path of paths) if (path.length > 1) lines.push(`  path: ${path.join(' > ')}`);
  if (introduced_by.length > 0) lines.push(`  brought in by: ${introduced_by.join(', ')}`);
  return lines.map((line) => `${plainText(line, 4000)}\n`).join('');
}
