import { describe, expect, test } from 'vitest';
import { baseLabels, baseLayersByHistory, runtimeOf } from '../../../src/service/containers/image-config.js';
import { imageConfig } from '../../../src/service/scanners/image-scan.js';

/** Steps as `docker history` tells them; those in brackets make no layer. */
const config = (...steps: readonly string[]) =>
  imageConfig.parse({
    history: steps.map((step) => {
      const empty = step.startsWith('[');
      return { created_by: empty ? step.slice(1, -1) : step, ...(empty && { empty_layer: true }) };
    }),
  });

const layersOf = (count: number) => Array.from({ length: count }, (_, place) => `sha256:${place}`);

describe('a base ends, by the image’s history', () => {
  const classic = ['/bin/sh -c #(nop) ADD file:1 in / ', '[/bin/sh -c #(nop)  CMD ["bash"]]'];
  const node = [
    ...classic,
    '[/bin/sh -c #(nop)  ENV NODE_VERSION=20.1.0]',
    '/bin/sh -c install',
    '[/bin/sh -c #(nop)  ENTRYPOINT ["e"]]',
    '[/bin/sh -c #(nop)  CMD ["node"]]',
  ];
  const own = ['WORKDIR /app', 'COPY . . # buildkit', '[USER 1001]', '[ENTRYPOINT ["npm"]]', '[CMD ["start"]]'];

  test('with its last CMD', () => {
    expect(baseLayersByHistory(config(...node, ...own), layersOf(4))).toBe(2);
    expect(baseLayersByHistory(config(...classic, ...own), layersOf(3))).toBe(1);
  });

  test('with a CMD of BuildKit’s too', () => {
    expect(baseLayersByHistory(config('ADD rootfs / # buildkit', '[CMD ["sh"]]', ...own), layersOf(3))).toBe(1);
  });

  test('with its ENTRYPOINT, where it has no CMD', () => {
    expect(baseLayersByHistory(config('bazel build', '[ENTRYPOINT ["java"]]', ...own), layersOf(3))).toBe(1);
  });

  test('nowhere, where nothing tells', () => {
    expect(baseLayersByHistory(config(...own), layersOf(2))).toBeNull();
    expect(baseLayersByHistory(config(...classic), layersOf(1))).toBeNull();
    expect(baseLayersByHistory(config(), layersOf(2))).toBeNull();
    // A RUN that ends in CMD is a step with a layer.
    expect(baseLayersByHistory(config('CMD like', 'COPY a b'), layersOf(2))).toBeNull();
  });

  test('nowhere, where the history is not that of the layers', () => {
    expect(baseLayersByHistory(config(...node, ...own), layersOf(1))).toBeNull();
  });
});

describe('a runtime', () => {
  test('is named by the history of either builder, else by the environment', () => {
    expect(runtimeOf(config('[/bin/sh -c #(nop)  ENV PYTHON_VERSION=3.6.12]'))).toBe('python 3.6.12');
    expect(runtimeOf(config('[ENV NODE_VERSION=20.1.0]', '[ENV PYTHON_VERSION=3.9.0]'))).toBe('node 20.1.0');
    expect(runtimeOf(imageConfig.parse({ config: { Env: ['PATH=/bin', 'GOLANG_VERSION=1.22'] } }))).toBe('golang 1.22');
  });

  test('is not made up', () => {
    expect(
      runtimeOf(config('[ENV MY_NODE_VERSION=20]', 'RUN ENV NODE_VERSION=20', '[ENV NODE_VERSION=$V]')),
    ).toBeNull();
  });
});

test('of the labels, those that name the base are kept', () => {
  const labels = {
    maintainer: 'a',
    'org.opencontainers.image.base.name': 'node:20',
    'org.opencontainers.image.title': 'b',
  };
  expect(baseLabels(imageConfig.parse({ config: { Labels: labels } }))).toEqual({
    'org.opencontainers.image.base.name': 'node:20',
  });
});
