import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { at } from '../../support/at.js';
import { hasData } from '../../support/data.js';
import { startService, type TestService } from '../../support/service.js';
import { newProject } from '../projects/new-project.js';
import { diffIds, imageConfig, layersOf, trivyReport, vulnerability } from '../scanners/trivy/trivy-report.js';
import { inProject, newScannedProject, realReport } from './scanned-project.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

type Project = Awaited<ReturnType<typeof newScannedProject>>;

const advice = async ({ get }: Project, imageId: string) => (await get(`/images/${imageId}/base-image-advice`)).body;
const dockerfile = ({ key, path }: Project, imageId: string, text: string) =>
  service.call(key, 'PUT', `${path}/images/${imageId}/dockerfile`, { path: 'Dockerfile', text });

/** So many findings of each tier, in the given layer. */
function findings(red: number, yellow: number, green: number, DiffID?: string) {
  const some = (count: number, label: string) =>
    Array.from({ length: count }, (_, place) =>
      vulnerability(`CVE-1990-3${place}${label.length}`, `${label}-${place}-${DiffID ?? ''}`, {
        Severity: label,
        ...(DiffID !== undefined && { Layer: { DiffID } }),
      }),
    );
  return [...some(red, 'CRITICAL'), ...some(yellow, 'HIGH'), ...some(green, 'LOW')];
}

const labels = (name: string) => ({ config: { Labels: { 'org.opencontainers.image.base.name': name } } });

describe.skipIf(!hasData)('python:3.6 and python:3.7.10, as Grype saw them', () => {
  const match = z.object({
    vulnerability: z.object({
      severity: z.string(),
      cvssV2: z.object({ baseScore: z.number() }).optional(),
      cvssV3: z.object({ baseScore: z.number() }).optional(),
    }),
    artifact: z.object({ type: z.string() }),
  });

  /** Counted over the file by Debian's words and the scores that it gives itself, with no EPSS and no KEV. */
  function countTiers(file: string) {
    const counts = { red: 0, yellow: 0, green: 0 };
    const { matches } = z.object({ matches: z.array(match) }).parse(realReport(file));
    for (const { vulnerability: each, artifact } of matches) {
      const word = { Critical: 9, High: 7, Medium: 4, Low: 0.1, Negligible: 0.1 }[each.severity];
      const ofDebian = artifact.type === 'deb' ? word : undefined;
      const value = ofDebian ?? each.cvssV3?.baseScore ?? word ?? each.cvssV2?.baseScore ?? 5;
      counts[value >= 9 ? 'red' : value >= 4 ? 'yellow' : 'green'] += 1;
    }
    return counts;
  }

  test('the second is offered for the first with exact deltas if it is better, and is else left out', async () => {
    const project = await newScannedProject(service);
    const first = await project.scan(realReport('grype/many_vulns.json'));
    const second = await project.scan(realReport('grype/many_vulns2.json'));
    const [older, newer] = [countTiers('grype/many_vulns.json'), countTiers('grype/many_vulns2.json')];
    expect(await project.items('/images')).toMatchObject([{ tiers: older }, { tiers: newer }]);
    const delta = {
      red: newer.red - older.red,
      yellow: newer.yellow - older.yellow,
      green: newer.green - older.green,
    };
    const better = {
      image_id: second,
      ref: 'docker.io/library/python:3.7.10',
      delta,
      why: 'newer tag of the same repository',
    };
    const isBetter = (delta.red || delta.yellow || delta.green) < 0;
    expect(await advice(project, first)).toEqual({
      image: { id: first, ref: 'docker.io/library/python:3.6' },
      base: {
        ref: 'docker.io/library/python:3.6',
        image_id: first,
        known_from: 'itself: an official image is a base',
      },
      alternatives: isBetter ? [better] : [],
      dockerfile: null,
      note: `${isBetter ? '' : 'No known image is better than today’s: none of those compared has fewer findings. '}Only images that the organisation has scanned were compared: 1, scanned 0 days ago.`,
    });
    // The older one is no step forward.
    expect(await advice(project, second)).toMatchObject({
      alternatives: [],
      dockerfile: null,
      note: expect.stringContaining('of 1 that may be a base, none has the same repository, runtime or system'),
    });
  });

  test('an image on node tells its base by its history', async () => {
    const project = await newScannedProject(service);
    const shop = await project.scan(realReport('trivy/scb-juice-shop-v12.10.2.json'));
    expect(await advice(project, shop)).toMatchObject({
      base: {
        ref: 'docker.io/library/node:12.22.6-alpine',
        image_id: null,
        known_from: 'image history: node 12.22.6, alpine 3.11.12',
      },
      alternatives: [],
      note: expect.stringMatching(
        /^Nothing to compare with: scan what the image could be built on instead, such as a newer tag or a slimmer variant of node\. .*Only images that the organisation has scanned/,
      ),
    });
    const newer = await project.scan(trivyReport('node:18-alpine', findings(0, 1, 0)));
    const tiers = { red: 0, yellow: 0, green: 0 };
    for (const { layer, tier } of await project.items('/findings?image=bkimminich/juice-shop:v12.10.2')) {
      if (layer === 'base_image') tiers[tier === 'RED' ? 'red' : tier === 'YELLOW' ? 'yellow' : 'green'] += 1;
    }
    expect(await advice(project, shop)).toMatchObject({
      alternatives: [
        {
          image_id: newer,
          delta: { red: 0 - tiers.red, yellow: 1 - tiers.yellow, green: 0 - tiers.green },
          why: 'newer tag of the same repository',
        },
      ],
      note: expect.stringContaining(
        'node:12.22.6-alpine has not been scanned: the findings in the image’s base layers stand for it. Only images',
      ),
    });
  });

  test('a Dockerfile that is newer than the scan is said to be, and nothing older than its runtime is proposed', async () => {
    const project = await newScannedProject(service);
    const shop = await project.scan(realReport('trivy/scb-juice-shop-v12.10.2.json'));
    await project.scan(trivyReport('node:20.18.1-bookworm-slim', findings(0, 1, 0)));
    await dockerfile(project, shop, 'FROM gcr.io/distroless/nodejs24-debian13\n');
    const answer = await advice(project, shop);
    expect(answer).toMatchObject({
      base: { ref: 'docker.io/library/node:12.22.6-alpine', known_from: 'image history: node 12.22.6, alpine 3.11.12' },
      alternatives: [],
      dockerfile: { line: 1, current: 'FROM gcr.io/distroless/nodejs24-debian13', suggested: null },
      note: expect.stringMatching(
        /^The Dockerfile’s FROM gcr\.io\/distroless\/nodejs24-debian13 does not fit the scan of \S+: it is of node 24, and the scan found node 12\.22\.6\. .* no delta is claimed for it/,
      ),
    });
    // What is no older is compared with the image that was scanned, and the line is left alone.
    await dockerfile(project, shop, 'FROM gcr.io/distroless/nodejs24-debian12\n');
    await project.scan(trivyReport('node:24-bookworm-slim', findings(0, 0, 1)));
    expect(await advice(project, shop)).toMatchObject({
      alternatives: [{ ref: 'docker.io/library/node:24-bookworm-slim' }],
      dockerfile: { suggested: null },
      note: expect.stringContaining('does not fit the scan'),
    });
    // The Dockerfile that the scan is of is taken at its word.
    await dockerfile(project, shop, 'FROM node:12-alpine3.11\n');
    expect(await advice(project, shop)).toMatchObject({
      base: { ref: 'docker.io/library/node:12-alpine3.11', known_from: 'FROM in line 1 of its Dockerfile' },
      dockerfile: { suggested: 'FROM node:24-bookworm-slim' },
      note: expect.not.stringContaining('does not fit'),
    });
  });
});

describe('what an image stands on', () => {
  test('is what its build’s labels name', async () => {
    const project = await newScannedProject(service);
    const base = await project.scan(trivyReport('acme/node:1', findings(2, 0, 0)));
    const shop = await project.scan(trivyReport('acme/shop:1', [], [], { ImageConfig: labels('acme/node:1') }));
    expect(await advice(project, shop)).toMatchObject({
      base: { ref: 'docker.io/acme/node:1', image_id: base, known_from: 'label image.base.name' },
    });
    const unscanned = await project.scan(trivyReport('acme/shop:2', [], [], { ImageConfig: labels('acme/node:9') }));
    expect(await advice(project, unscanned)).toMatchObject({
      base: { ref: 'docker.io/acme/node:9', image_id: null },
      alternatives: [],
      note: 'Scan acme/node:9, so that there is something to compare with: the report has no layers.',
    });
  });

  test('is the scanned image with the labelled digest, whatever it is called', async () => {
    const project = await newScannedProject(service);
    const digest = `sha256:${'56'.repeat(32)}`;
    const base = await project.scan(trivyReport('acme/node:1', [], [], { RepoDigests: [`acme/node@${digest}`] }));
    const Labels = { 'org.opencontainers.image.base.digest': digest };
    const shop = await project.scan(trivyReport('acme/shop:1', [], [], { ImageConfig: { config: { Labels } } }));
    expect(await advice(project, shop)).toMatchObject({ base: { ref: 'docker.io/acme/node:1', image_id: base } });
  });

  test('is the scanned image whose layers it begins with, the nearest one', async () => {
    const project = await newScannedProject(service);
    await project.scan(trivyReport('acme/os:1', [], [], layersOf('os')));
    const base = await project.scan(trivyReport('acme/node:1', [], [], layersOf('os', 'node')));
    const shop = await project.scan(trivyReport('acme/shop:1', [], [], layersOf('os', 'node', 'shop')));
    expect(await advice(project, shop)).toMatchObject({
      base: { ref: 'docker.io/acme/node:1', image_id: base, known_from: 'layers shared with it' },
    });
  });

  test('is not told by a report without a word on it', async () => {
    const project = await newScannedProject(service);
    const shop = await project.scan(trivyReport('acme/shop:1', findings(1, 1, 1)));
    expect(await advice(project, shop)).toMatchObject({
      base: null,
      alternatives: [],
      dockerfile: null,
      note: expect.stringContaining('set the Dockerfile'),
    });
  });

  test('is not an image of one’s own that has no registry in its name', async () => {
    const project = await newScannedProject(service);
    const shop = await project.scan(trivyReport('shop:1', [], [], layersOf('os', 'shop')));
    expect(await advice(project, shop)).toMatchObject({ base: null });
  });
});

describe('alternatives', () => {
  /** An image on `acme/node:1`, which has 2 RED, 2 YELLOW and 2 GREEN. */
  async function onBase() {
    const project = await newScannedProject(service);
    const [os, node] = diffIds('os', 'node');
    await project.scan(trivyReport('acme/node:1', findings(2, 2, 2, os), [], layersOf('os', 'node')));
    const own = findings(5, 5, 5, diffIds('shop')[0]);
    const report = trivyReport('acme/shop:1', [...findings(2, 2, 2, node), ...own], [], layersOf('os', 'node', 'shop'));
    return { project, shop: await project.scan(report) };
  }

  test('are better ones, best first, from all projects of the organisation alone', async () => {
    const { project, shop } = await onBase();
    const { organisation } = project;
    const neighbour = inProject(service, organisation.writeKey, await newProject(service, organisation), organisation);
    const counts: [string, number, number, number][] = [
      ['2', 2, 2, 3],
      ['3', 0, 9, 9],
      ['4', 2, 1, 9],
      ['5', 3, 0, 0],
      ['6', 2, 2, 1],
      ['7', 4, 0, 0],
    ];
    for (const [tag, ...tiers] of counts) await neighbour.scan(trivyReport(`acme/node:${tag}`, findings(...tiers)));
    const stranger = await newScannedProject(service);
    await stranger.scan(trivyReport('acme/node:8', []));
    const told = await advice(project, shop);
    const alternatives = z
      .array(z.object({ ref: z.string(), delta: z.object({ red: z.int(), yellow: z.int(), green: z.int() }) }))
      .parse(at(told, 'alternatives'));
    expect(alternatives.map(({ ref, delta }) => [ref.split(':')[1], delta.red, delta.yellow, delta.green])).toEqual([
      ['3', -2, 7, 7],
      ['4', 0, -1, 7],
      ['6', 0, 0, -1],
    ]);
    expect(at(told, 'note')).toBe(
      'Only images that the organisation has scanned were compared: 6, scanned 0 days ago.',
    );
  });

  test('are counted by the newest scan of each ref', async () => {
    const { project, shop } = await onBase();
    await project.scan(trivyReport('acme/node:2', findings(9, 0, 0)));
    const { organisation } = project;
    const neighbour = inProject(service, organisation.writeKey, await newProject(service, organisation), organisation);
    const newest = await neighbour.scan(trivyReport('acme/node:2', findings(1, 0, 0)));
    expect(await advice(project, shop)).toMatchObject({
      alternatives: [{ image_id: newest, delta: { red: -1, yellow: -2, green: -2 } }],
    });
  });

  test('of other repositories are bases: plain official images, and what others stand on', async () => {
    const project = await newScannedProject(service);
    const env = (version: string, ...names: string[]) =>
      imageConfig(names, { config: { Env: [`NODE_VERSION=${version}`] } });
    await project.scan(trivyReport('acme/node:1', findings(1, 0, 0), [], env('18.0.0', 'a')));
    const shop = await project.scan(trivyReport('acme/shop:1', [], [], env('18.0.0', 'a', 'b')));
    await project.scan(trivyReport('ghost:5', [], [], env('20.0.0', 'c')));
    await project.scan(trivyReport('acme/blog:1', [], [], env('20.0.0', 'd', 'e')));
    const node = await project.scan(trivyReport('node:20', [], [], env('20.1.0', 'f')));
    const refs = async () =>
      z
        .array(z.object({ ref: z.string() }))
        .parse(at(await advice(project, shop), 'alternatives'))
        .map(({ ref }) => ref);
    expect(await refs()).toEqual(['docker.io/library/node:20']);
    const base = await project.scan(trivyReport('acme/base:1', [], [], env('20.0.0', 'd')));
    expect(await advice(project, shop)).toMatchObject({
      alternatives: [
        { image_id: base, ref: 'docker.io/acme/base:1', why: 'same language runtime: node 20.0.0' },
        { image_id: node, ref: 'docker.io/library/node:20', why: 'same language runtime: node 20.1.0' },
      ],
    });
  });

  test('of a base that was not scanned are set against the findings of the image’s base layers', async () => {
    const project = await newScannedProject(service);
    const [os, own] = diffIds('os', 'own');
    const history = [
      { created_by: 'ADD rootfs.tar /' },
      { created_by: 'ENV PYTHON_VERSION=3.9.1', empty_layer: true },
      { created_by: 'CMD ["python3"]', empty_layer: true },
      { created_by: 'COPY . /app' },
      { created_by: 'CMD ["app"]', empty_layer: true },
    ];
    const system = [...findings(3, 2, 1, os), ...findings(7, 7, 7, own)];
    const report = trivyReport('acme/shop:1', system, [], imageConfig(['os', 'own'], { history }));
    const shop = await project.scan(report);
    await project.scan(trivyReport('python:3.9.1-slim', findings(1, 1, 1)));
    expect(await advice(project, shop)).toMatchObject({
      base: {
        ref: 'docker.io/library/python:3.9.1',
        image_id: null,
        known_from: 'image history: python 3.9.1, debian 12.5',
      },
      alternatives: [{ delta: { red: -2, yellow: -1, green: 0 }, why: 'slimmer variant of the same repository' }],
      note: expect.stringContaining(
        'python:3.9.1 has not been scanned: the findings in the image’s base layers stand for it.',
      ),
    });
  });

  test('that are no better are left out, and the note says that there is none', async () => {
    const { project, shop } = await onBase();
    await project.scan(trivyReport('acme/node:2', findings(2, 2, 2)));
    await project.scan(trivyReport('acme/node:3', findings(3, 0, 0)));
    expect(await advice(project, shop)).toMatchObject({
      alternatives: [],
      note: 'No known image is better than today’s: none of those compared has fewer findings. Only images that the organisation has scanned were compared: 2, scanned 0 days ago.',
    });
  });

  test('with an old scan are said to have one, and so is the image', async () => {
    const { project, shop } = await onBase();
    const old = await project.scan(trivyReport('acme/node:2', []));
    await project.scan(trivyReport('acme/node:3', findings(1, 0, 0)));
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000 - 60_000);
    const age = (id: string, days: number) =>
      service.database.system((tx) =>
        tx
          .updateTable('container_images')
          .set({ scanned_at: daysAgo(days) })
          .where('id', '=', id)
          .execute(),
      );
    await age(old, 45);
    await age(shop, 31);
    expect(await advice(project, shop)).toMatchObject({
      alternatives: [
        {
          ref: 'docker.io/acme/node:2',
          why: 'newer tag of the same repository; its scan is 45 days old, so newer vulnerabilities are missing in it',
        },
        { ref: 'docker.io/acme/node:3', why: 'newer tag of the same repository' },
      ],
      note: expect.stringMatching(
        /compared: 2, scanned 0 to 45 days ago\. This image was scanned 31 days ago: scan it again/,
      ),
    });
  });

  test('are set against the build that the image is of, not a later one of the same tag', async () => {
    const project = await newScannedProject(service);
    const [os] = diffIds('os');
    await project.scan(trivyReport('acme/os:1', findings(3, 0, 0, os), [], layersOf('os')));
    const shop = await project.scan(trivyReport('acme/shop:1', findings(3, 0, 0, os), [], layersOf('os', 'shop')));
    await dockerfile(project, shop, 'FROM acme/os:1\n');
    await project.scan(trivyReport('acme/os:1', findings(1, 0, 0), [], layersOf('rebuilt')));
    await project.scan(trivyReport('acme/os:2', findings(2, 0, 0)));
    expect(await advice(project, shop)).toMatchObject({
      alternatives: [{ ref: 'docker.io/acme/os:2', delta: { red: -1, yellow: 0, green: 0 } }],
      note: expect.stringContaining('acme/os:1 was scanned as another build'),
    });
  });
});

describe('the line to change', () => {
  const text = [
    'ARG VERSION=1',
    'FROM golang:1.22 AS build',
    'FROM --platform=linux/amd64 acme/node:$VERSION AS base',
    'FROM base',
    'COPY --from=build /a /a',
  ].join('\n');

  test('is the FROM of the final stage’s base, ARG expanded, with the best alternative', async () => {
    const project = await newScannedProject(service);
    await project.scan(trivyReport('acme/node:1', findings(1, 0, 0)));
    const shop = await project.scan(trivyReport('acme/shop:1', []));
    await dockerfile(project, shop, text);
    const line = {
      file: 'Dockerfile',
      line: 3,
      stage: 'base',
      current: 'FROM --platform=linux/amd64 acme/node:1 AS base',
    };
    expect(await advice(project, shop)).toMatchObject({
      base: { ref: 'docker.io/acme/node:1', known_from: 'FROM in line 3 of its Dockerfile' },
      dockerfile: { ...line, suggested: null },
    });
    await project.scan(trivyReport('acme/node:3', findings(2, 0, 0)));
    expect(await advice(project, shop)).toMatchObject({ dockerfile: { ...line, suggested: null } });
    await project.scan(trivyReport('acme/node:2-slim', []));
    expect(await advice(project, shop)).toMatchObject({
      dockerfile: { ...line, suggested: 'FROM --platform=linux/amd64 acme/node:2-slim AS base' },
    });
  });

  test('is another image’s of the project, where that stands on the same base', async () => {
    const project = await newScannedProject(service);
    const python = await project.scan(trivyReport('python:3.6', findings(1, 0, 0)));
    await project.scan(trivyReport('python:3.7', []));
    const shop = await project.scan(trivyReport('acme/shop:1', []));
    await dockerfile(project, shop, '# shop\nFROM python:3.6\n');
    expect(await advice(project, python)).toMatchObject({
      dockerfile: {
        file: 'Dockerfile',
        line: 2,
        stage: null,
        current: 'FROM python:3.6',
        suggested: 'FROM python:3.7',
      },
    });
    await dockerfile(project, shop, 'FROM scratch\n');
    expect(await advice(project, python)).toMatchObject({ dockerfile: null });
  });

  test('is told by an official image’s own Dockerfile only where that stands on the image', async () => {
    const project = await newScannedProject(service);
    const python = await project.scan(trivyReport('python:3.6', []));
    await dockerfile(project, python, 'FROM buildpack-deps:buster\n');
    expect(await advice(project, python)).toMatchObject({ dockerfile: null });
    await dockerfile(project, python, 'FROM python:3.6\n');
    expect(await advice(project, python)).toMatchObject({ dockerfile: { line: 1, current: 'FROM python:3.6' } });
  });
});
