import * as z from 'zod';
import { type ImageScan, imageConfig, noConfig } from '../image-scan.js';
import { listOf, orNull, textOrEmpty } from '../lenient.js';

/** What Trivy says of an image (`pkg/types/report.go`). */
export const metadata = z.object({
  OS: orNull(z.object({ Family: textOrEmpty, Name: textOrEmpty })),
  RepoTags: listOf(z.string()),
  RepoDigests: listOf(z.string()),
  DiffIDs: orNull(z.array(z.string())),
  ImageConfig: orNull(imageConfig),
});

export type Metadata = z.output<typeof metadata>;

type ImageFacts = Pick<ImageScan, 'repoDigests' | 'manifestDigest' | 'os' | 'layers' | 'config'>;

export function imageFactsOf(given: Metadata | null): ImageFacts {
  const config = given?.ImageConfig ?? noConfig;
  const os = given?.OS ?? null;
  return {
    repoDigests: given?.RepoDigests ?? [],
    manifestDigest: null,
    os: os === null ? null : `${os.Family} ${os.Name}`.trim() || null,
    layers: config.rootfs?.diff_ids ?? given?.DiffIDs ?? [],
    config,
  };
}

/** The place of each layer, base first. */
export function layerPlaces({ layers }: ImageFacts): ReadonlyMap<string, number> {
  return new Map(layers.map((layer, place) => [layer, place]));
}
