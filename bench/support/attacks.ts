import { gzipSync } from 'node:zlib';

/** A report that tries to take the service from others, and the status that it gets. */
interface Attack {
  readonly name: string;
  readonly body: () => Buffer<ArrayBuffer>;
  /** How often it is sent at once. */
  readonly times: number;
  readonly status: number;
}

const report = (properties: string) =>
  Buffer.from(
    `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t"}},"results":[],"properties":{"a":${properties}}}]}`,
  );
const objects = (count: number) => report(`[${'{},'.repeat(count - 1)}{}]`);

export const attacks: readonly Attack[] = [
  { name: '57 MB of {}', body: () => objects(19_000_000), times: 1, status: 422 },
  { name: '57 MB of {}, twice at once', body: () => objects(19_000_000), times: 2, status: 422 },
  { name: '18 MB of {}, 5.9 million', body: () => objects(5_900_000), times: 1, status: 200 },
  { name: '18 MB of {}, twice at once', body: () => objects(5_900_000), times: 2, status: 200 },
  { name: '200,000 deep', body: () => report('['.repeat(200_000) + ']'.repeat(200_000)), times: 1, status: 422 },
  { name: 'gzip of 60 MB of {}', body: () => Buffer.from(gzipSync(objects(19_900_000))), times: 1, status: 422 },
  { name: 'gzip of 1 GB', body: () => Buffer.from(gzipSync(Buffer.alloc(2 ** 30, ' '))), times: 1, status: 422 },
];
