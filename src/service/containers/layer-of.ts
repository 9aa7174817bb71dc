import type * as z from 'zod';
import type { imageLayer } from '../../procedures/risk.js';

/** Where a package came from by the first and last layer that it is in. The base's layers are the first ones. */
export function layerOf(
  layers: readonly [number, number] | null,
  baseLayers: number | null,
): z.output<typeof imageLayer> {
  if (layers === null || baseLayers === null) return 'unknown';
  const [first, last] = layers;
  if (last < baseLayers) return 'base_image';
  return first >= baseLayers ? 'own' : 'unknown';
}
