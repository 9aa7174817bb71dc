import { readInstructions } from './dockerfile-lines.js';
import { normaliseRef } from './image-ref.js';

/** One FROM of a Dockerfile. */
export interface Stage {
  /** Of the FROM, from 1. */
  readonly line: number;
  readonly name: string | null;
  /** `--platform=…` and its like, as written. */
  readonly flags: readonly string[];
  /** Its base, with ARGs expanded: an image, or an earlier stage by name or number. */
  readonly from: string;
  /** False where `from` has an ARG without default: only the build knows its value. */
  readonly resolved: boolean;
}

/** The FROM that names the base of the built image. */
export interface BaseLine extends Stage {
  /** Normalised. */
  readonly ref: string;
}

/** The stages of a Dockerfile, in order; empty where it has no FROM. */
export function readStages(text: string): Stage[] {
  const args = new Map<string, string>();
  const stages: Stage[] = [];
  for (const { line, keyword, rest } of readInstructions(text)) {
    // A FROM can use only the ARGs before the first FROM.
    if (keyword === 'ARG' && stages.length === 0) declare(rest, args);
    if (keyword === 'FROM') stages.push(...stageOf(line, rest, args));
  }
  return stages;
}

/** The FROM that names the final stage's image, through the stages between; null for `scratch` and unknown images. */
export function baseLineOf(stages: readonly Stage[]): BaseLine | null {
  let at = stages.length - 1;
  for (;;) {
    const stage = stages[at];
    if (stage === undefined) return null;
    const { from } = stage;
    const earlier = stages
      .slice(0, at)
      .findLastIndex(({ name }, place) => name?.toLowerCase() === from.toLowerCase() || String(place) === from);
    if (earlier === -1) {
      const ref = stage.resolved && from !== 'scratch' ? normaliseRef(from) : null;
      return ref === null ? null : { ...stage, ref };
    }
    at = earlier;
  }
}

/** A FROM line with this image. */
export function printFrom({ flags, name }: Pick<Stage, 'flags' | 'name'>, image: string): string {
  return ['FROM', ...flags, image, ...(name === null ? [] : ['AS', name])].join(' ');
}

function stageOf(line: number, rest: string, args: ReadonlyMap<string, string>): Stage[] {
  const words = rest.split(/\s+/).filter((word) => word !== '');
  const flags = words.filter((word) => word.startsWith('--'));
  const [image, as, name = null] = words.filter((word) => !word.startsWith('--'));
  if (image === undefined) return [];
  const { text, resolved } = expand(unquote(image), args);
  return [{ line, name: as?.toUpperCase() === 'AS' ? name : null, flags, from: text, resolved }];
}

/** `ARG A=1 B="2"`: a default may use ARGs declared before. An ARG without default has a value only in the build. */
function declare(rest: string, args: Map<string, string>): void {
  for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=("[^"]{0,1024}"|'[^']{0,1024}'|\S*)/g)) {
    const { text, resolved } = expand(unquote(value), args);
    if (resolved) args.set(name, text);
  }
}

function unquote(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2');
}

/** `$A`, `${A}`, `${A:-other}`, `${A-other}`, `${A:+other}` and `${A+other}`. */
function expand(
  text: string,
  args: ReadonlyMap<string, string>,
): { readonly text: string; readonly resolved: boolean } {
  let resolved = true;
  const expanded = text.replace(
    /\$(?:(\w+)|\{(\w+)(?:(:?)([-+])([^{}]{0,256}))?\})/g,
    (whole, bare: string | undefined, braced: string | undefined, colon, operator, other: string) => {
      const value = args.get(bare ?? braced ?? '');
      const isSet = value !== undefined && (colon !== ':' || value !== '');
      if (operator === '-') return isSet ? value : other;
      if (operator === '+') return isSet ? other : '';
      if (value === undefined) resolved = false;
      return value ?? whole;
    },
  );
  return { text: expanded, resolved };
}
