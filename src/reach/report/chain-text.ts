import { parsePurl } from '../../shared/packages/purl.js';
import type { WireDependency } from '../analysis/site-evidence.js';

export type WireChain = NonNullable<WireDependency['chain']>;

/** A way from an entry point to a package: own files with their lines, then packages, `app.ts:12 -> express -> body-parser -> qs`. */
export function chainText(chain: WireChain): string {
  const steps = chain.map(({ purl, file, line }) =>
    purl === null ? `${file}${line === null ? '' : `:${line}`}` : (parsePurl(purl)?.name ?? purl),
  );
  // A package loads its own files one after the other: that is one step.
  return steps.filter((step, index) => step !== steps[index - 1]).join(' -> ');
}
