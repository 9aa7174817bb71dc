import * as z from 'zod';
import { shortHash } from '../../findings/identity.js';

const flag = z.boolean().nullish().catch(null);
const scope = z.string().nullish().catch(null);

/** Grype's own options as far as they say what it leaves out (`grype/presenter/models/descriptor.go`). */
const configuration = z.object({
  'only-fixed': flag,
  'only-notfixed': flag,
  exclude: z.array(z.string()).nullish().catch(null),
  scope,
  search: z.object({ scope }).nullish().catch(null),
});

const source = z.object({ type: z.string().nullish(), target: z.unknown() });

/**
 * The limits of a scan, as words of `Seer.scope`. Without `AllLayers` Grype does not see what a later layer hides. A scan of
 * something else than an image sees other things.
 */
export function limitsOf(givenSource: unknown, givenConfiguration: unknown): string[] {
  const from = source.safeParse(givenSource).data;
  const options = configuration.safeParse(givenConfiguration).data;
  const layers = z.object({ scope }).safeParse(from?.target).data?.scope ?? options?.search?.scope ?? options?.scope;
  const isImage = from?.type === 'image';
  const exclude = options?.exclude ?? [];
  return [
    isImage ? 'image' : 'files',
    ...(isImage && !/^all-?layers$/i.test(layers ?? '') ? ['squashed'] : []),
    ...(options?.['only-fixed'] === true ? ['only fixed'] : []),
    ...(options?.['only-notfixed'] === true ? ['only not fixed'] : []),
    ...(exclude.length > 0 ? [`without ${shortHash(exclude.toSorted())}`] : []),
  ].sort();
}
