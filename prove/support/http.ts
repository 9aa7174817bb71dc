import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface Request {
  readonly method?: string;
  /** Path and query. */
  readonly path: string;
  /** Becomes the Bearer token; null sends none. */
  readonly credential: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text or bytes are sent unchanged, with the type of JSON; anything else as JSON. */
  readonly body?: unknown;
  /** The address of this machine that the request comes from, as 127.0.0.66. */
  readonly from?: string;
  /** Milliseconds until the request counts as hanging; default one minute. */
  readonly limitMs?: number;
}

export interface Answer {
  /** 0 where none came: the connection broke, or the limit passed. */
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

const nothing = (text: string): Answer => ({ status: 0, retryAfter: undefined, header: () => undefined, text });

/** Sends one request on a connection of its own. It never throws: what went wrong is in the answer's text. */
export function send(url: string, request: Request): Promise<Answer> {
  const { method = request.body === undefined ? 'GET' : 'POST', credential, body, from, limitMs = 60_000 } = request;
  const target = new URL(request.path, url);
  const bytes =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const options: RequestOptions = {
    method,
    agent: false,
    headers: {
      ...(credential !== null && { authorization: `Bearer ${credential}` }),
      ...(bytes !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
      ...request.headers,
    },
    signal: AbortSignal.timeout(limitMs),
    ...(from !== undefined && { localAddress: from }),
  };
  return new Promise((resolve) => {
    const sent = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, options, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', (error) => resolve(nothing(error.message)));
      res.on('end', () => {
        const header = (name: string) => [res.headers[name]].flat()[0];
        const text = Buffer.concat(chunks).toString();
        resolve({ status: res.statusCode ?? 0, retryAfter: header('retry-after'), header, text });
      });
    });
    sent.on('error', (error) => resolve(nothing(error.message)));
    sent.end(bytes);
  });
}

/** Whether a text shows where in the code something failed. */
export function showsStack(text: string): boolean {
  return /\n\s+at |\(file:|node:internal|\.[jt]s:\d+:\d+/.test(text) || /\\n\s+at /.test(text);
}
