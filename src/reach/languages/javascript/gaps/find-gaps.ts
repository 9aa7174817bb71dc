import type { SearchGap } from '../../language-reader.js';
import type { ResolvedReference, ResolvedSource } from '../package-uses.js';
import type { Resolution } from '../resolve/resolver.js';
import { isVirtualModule, namesNoCode } from '../resolve/virtual-modules.js';
import { importedByGenerated } from './generated-modules.js';
import { hiddenBy } from './hidden-packages.js';

export interface GapContext {
  readonly isPackage: (name: string) => boolean;
  readonly lockedNames: ReadonlySet<string>;
  /** The packages whose names resemble one that no package has. */
  readonly resembling: (name: string) => readonly string[] | 'any';
}

const buildOutput = /(?:^|\/)(?:dist|build|out|output|\.output|\.next|\.nuxt|\.svelte-kit|compiled)\//;

/** Characters of a specifier in a text for people. */
const maxShown = 200;

/** Gaps of one file. A file with more says nothing new. */
const maxGaps = 50;

/** The places of a production file whose imports could not be followed, and that could hide a package. */
export function gapsIn({ path, kind, references }: ResolvedSource, context: GapContext): readonly SearchGap[] {
  // What the script of a page cannot import by a path, the server sends: a bundle of sources that are read themselves.
  if (kind.blocks === 'page' || kind.lang === 'dts') return [];
  const gaps = new Map<string, SearchGap>();
  for (const placed of references) {
    const hidden = hiddenIn(placed, context);
    if (hidden === null || gaps.size >= maxGaps) continue;
    gaps.set(`${placed.line} ${hidden.detail}`, { ...hidden, file: path, line: placed.line });
  }
  return [...gaps.values()];
}

type Hidden = Pick<SearchGap, 'kind' | 'detail' | 'hides'>;

function hiddenIn({ reference, resolution }: ResolvedReference, context: GapContext): Hidden | null {
  const { specifier, typeOnly, mock, kind } = reference;
  // What is resolved only is a path, and loaded elsewhere.
  if (typeOnly || mock || kind === 'resolve' || resolution.builtin || resolution.files.length > 0) return null;
  const found = resolution.package;
  if (found !== null && context.isPackage(found.name)) return null;
  if (typeof specifier !== 'string') {
    const hides = hiddenBy(specifier, context.lockedNames);
    return hides === null ? null : { kind: 'unknown_dynamic', detail: computedText(reference), hides };
  }
  if (isVirtualModule(specifier) || namesNoCode(specifier)) return null;
  return found === null ? missingFile(specifier, resolution, context) : unknownPackage(found.name, context);
}

function unknownPackage(name: string, { resembling }: GapContext): Hidden | null {
  const hides = resembling(name);
  return hides.length === 0 ? null : { kind: 'unowned_import', detail: `no package is named ${shown(name)}`, hides };
}

function missingFile(specifier: string, { isMissing }: Resolution, { lockedNames }: GapContext): Hidden | null {
  const isOfProject = isMissing === true || /^(?:\.{1,2}(?:\/|$)|[@~]+\/|\$lib(?:\/|$))/.test(specifier);
  // A build writes there what it makes of the project's own sources, which are read.
  if (!isOfProject || buildOutput.test(specifier)) return null;
  const hides = importedByGenerated(specifier, lockedNames) ?? 'any';
  return { kind: 'unresolved_import', detail: `no file is at ${shown(specifier)}`, hides };
}

function computedText({ kind, specifier }: ResolvedReference['reference']): string {
  const call = kind === 'dynamic' ? 'import' : 'require';
  const { prefix, suffix } = typeof specifier === 'string' ? { prefix: specifier, suffix: '' } : specifier;
  return `${call} of a computed name${prefix === '' && suffix === '' ? '' : `: ${shown(`${prefix}*${suffix}`)}`}`;
}

function shown(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ').slice(0, maxShown);
}
