import type { ImageConfig } from '../scanners/image-scan.js';

type Step = ImageConfig['history'][number];

/** Runtimes whose official image at Docker has the runtime's name. */
export const runtimesWithImage = ['node', 'python', 'golang', 'ruby', 'php', 'rust'];

/** The official image of each sets an environment variable, as `NODE_VERSION`. */
const runtimes = [...runtimesWithImage, 'java', 'dotnet'];

const labelPrefix = 'org.opencontainers.image.base.';

/** Labels with which a build names the image's base (OCI image spec, `annotations.md`). */
export function baseLabels({ config }: ImageConfig): Record<string, string> {
  const named = Object.entries(config?.Labels ?? {}).filter(([name]) => name.startsWith(labelPrefix));
  return Object.fromEntries(named.filter(([name]) => name.length < 256).slice(0, 8));
}

/** The base's name and digest, from the labels. */
export function labelledBase(labels: Readonly<Record<string, string>>) {
  return { name: labels[`${labelPrefix}name`] ?? null, digest: labels[`${labelPrefix}digest`] ?? null };
}

/**
 * How many of the image's layers are its base's, by its history; null where the history does not show it.
 *
 * A base ends with a CMD, which makes no layer. So we go back from the newest step. We skip the image's last steps without a
 * layer, then its steps with one; the next CMD is the base's end. Trivy does the same (`guessBaseImageIndex`). Where there is
 * no CMD, an ENTRYPOINT counts.
 *
 * This fails in two cases: a CMD in the middle of the image's Dockerfile is taken for the base's, and a base `FROM scratch`
 * with neither instruction is not found. A history that does not have every layer (squashed images) is not used.
 */
export function baseLayersByHistory({ history }: ImageConfig, layers: readonly string[]): number | null {
  const withLayer = history.flatMap((step, place) => (step.empty_layer === true ? [] : [place]));
  const lastOwn = withLayer.at(-1);
  if (lastOwn === undefined || withLayer.length !== layers.length) return null;
  const end = lastStep(history, lastOwn, 'CMD') ?? lastStep(history, lastOwn, 'ENTRYPOINT');
  return end === null ? null : withLayer.filter((place) => place < end).length;
}

function lastStep(history: readonly Step[], before: number, instruction: 'CMD' | 'ENTRYPOINT'): number | null {
  // The classic builder writes `/bin/sh -c #(nop)  CMD […]`, BuildKit the instruction alone.
  const shape = new RegExp(`^(?:/bin/sh -c #\\(nop\\)\\s+)?${instruction}\\s`);
  for (let place = before - 1; place >= 0; place--) {
    const step = history[place];
    if (step?.empty_layer === true && shape.test(step.created_by ?? '')) return place;
  }
  return null;
}

/** The first language runtime that the history's steps, else the environment, name: `node 12.22.6`. */
export function runtimeOf({ history, config }: ImageConfig): string | null {
  const steps = history.map(
    ({ created_by = '' }) => /^(?:\/bin\/sh -c #\(nop\)\s+)?ENV (\w+=\S+)/.exec(created_by)?.[1],
  );
  for (const setting of [...steps, ...(config?.Env ?? [])]) {
    const [, variable = '', version] = /^([A-Z]+)_VERSION=v?(\d[\w.+-]{0,63})(?:=|$)/.exec(setting ?? '') ?? [];
    const runtime = variable.toLowerCase();
    if (runtimes.includes(runtime)) return `${runtime} ${version}`;
  }
  return null;
}
