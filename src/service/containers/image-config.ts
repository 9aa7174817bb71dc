import type { ImageConfig } from '../scanners/image-scan.js';

type Step = ImageConfig['history'][number];

/** What Docker's official images say of their runtime, by the variable each sets. */
const runtimeVariables: ReadonlyMap<string, string> = new Map([
  ['NODE_VERSION', 'node'],
  ['PYTHON_VERSION', 'python'],
  ['GOLANG_VERSION', 'golang'],
  ['RUBY_VERSION', 'ruby'],
  ['PHP_VERSION', 'php'],
  ['RUST_VERSION', 'rust'],
  ['JAVA_VERSION', 'java'],
  ['DOTNET_VERSION', 'dotnet'],
]);

const labelPrefix = 'org.opencontainers.image.base.';

/** Labels with which a build names the image's base (OCI image spec, `annotations.md`). */
export function baseLabels({ config }: ImageConfig): Record<string, string> {
  const named = Object.entries(config?.Labels ?? {}).filter(([name]) => name.startsWith(labelPrefix));
  return Object.fromEntries(named.filter(([name]) => name.length < 256).slice(0, 8));
}

/** The base's name and digest as its labels give them. */
export function labelledBase(labels: Readonly<Record<string, string>>) {
  return { name: labels[`${labelPrefix}name`] ?? null, digest: labels[`${labelPrefix}digest`] ?? null };
}

/**
 * How many of the image's layers are its base's, by its history; null where it does not tell.
 *
 * A base ends with a CMD, which makes no layer. So, from the newest step back: the image's own closing steps without a
 * layer are passed over, then its steps with one, and the next CMD is the base's last word. Trivy takes the same for the
 * base's end (`guessBaseImageIndex`); where there is no CMD, we take an ENTRYPOINT. An own CMD in the middle of a
 * Dockerfile leads astray, and so does a base that is `FROM scratch` without either, which is not found. A history that
 * does not tell of every layer (squashed images) is not read.
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
    const [variable = '', version = ''] = (setting ?? '').split('=');
    const runtime = runtimeVariables.get(variable);
    if (runtime !== undefined && /^v?\d[\w.+-]{0,63}$/.test(version)) return `${runtime} ${version.replace(/^v/, '')}`;
  }
  return null;
}
