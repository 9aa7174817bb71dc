import { Pool } from 'undici';

/** A request that a load repeats. */
export interface Call {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** With a body a POST, without one a GET. */
  readonly body?: string;
}

/** How long a load goes on. */
interface Extent {
  readonly atOnce: number;
  readonly ms?: number;
  readonly max?: number;
}

/** An error of a tool, of JSON-RPC or of tRPC, which may come with status 200. A schema may have a property `error`. */
const failed = /"isError":true|"error":\{"(?:json|code|message)":/;

/** What a load has cost. */
export interface Cost {
  readonly calls: number;
  readonly seconds: number;
  /** Processor time of the server. */
  readonly cpuSeconds: number;
  /** Milliseconds of each call. */
  readonly times: readonly number[];
}

interface Answer {
  readonly status: number;
  readonly bytes: number;
}

/** Sends calls to one server and measures what they cost it. */
export class Load {
  readonly #pool: Pool;
  readonly #cpuSeconds: () => Promise<number>;
  /** Bytes of a call's right answer. */
  readonly #sizes = new Map<Call, number>();

  constructor(server: { readonly url: string; readonly cpuSeconds: () => Promise<number> }, connections: number) {
    this.#pool = new Pool(server.url, { connections });
    this.#cpuSeconds = server.cpuSeconds;
  }

  /** Sends a call once and returns the text. From now on an answer much smaller than this one is an error. */
  async check(call: Call): Promise<string> {
    const { path, headers, body = null } = call;
    const answer = await this.#pool.request({ path, headers, method: body === null ? 'GET' : 'POST', body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200 || failed.test(text))
      throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
    this.#sizes.set(call, Buffer.byteLength(text));
    return text;
  }

  /** Repeats the calls in turn, so many at once, for a time or up to a number. */
  async run(
    calls: readonly Call[],
    { atOnce, ms = Number.POSITIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Extent,
  ): Promise<Cost> {
    const times: number[] = [];
    const cpu = await this.#cpuSeconds();
    const begun = performance.now();
    let turn = 0;
    const repeat = async () => {
      while (turn < max && performance.now() - begun < ms) {
        const call = calls[turn % calls.length];
        turn += 1;
        if (call === undefined) throw new Error('no calls');
        const start = performance.now();
        this.#judge(call, await this.#send(call));
        times.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, repeat));
    const seconds = (performance.now() - begun) / 1000;
    return { calls: times.length, seconds, cpuSeconds: (await this.#cpuSeconds()) - cpu, times };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Counts the answer without keeping it: the client shares the machine with what it measures. */
  #send({ path, headers, body }: Call): Promise<Answer> {
    const request = { path, headers, ...(body === undefined ? { method: 'GET' } : { method: 'POST', body }) };
    return new Promise((resolve, reject) => {
      let [status, bytes] = [0, 0];
      this.#pool.dispatch(request, {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          bytes += chunk.length;
        },
        onResponseEnd: () => resolve({ status, bytes }),
        onResponseError: (_controller, error) => reject(error),
      });
    });
  }

  /** An error that comes with status 200 is a short answer. */
  #judge(call: Call, { status, bytes }: Answer): void {
    const size = this.#sizes.get(call);
    if (size === undefined) throw new Error(`${call.path} was not checked`);
    if (status !== 200 || bytes < size * 0.9) throw new Error(`${call.path}: ${status}, ${bytes} of ${size} bytes`);
  }
}
