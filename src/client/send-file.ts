/** How far a file has been sent, in bytes. */
export interface Progress {
  readonly sent: number;
  readonly total: number;
}

interface SentFile {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  readonly signal: AbortSignal | undefined;
}

type SendFile = (file: SentFile) => Promise<{ readonly status: number; readonly text: string }>;

/** Posts a file. Only a browser's XMLHttpRequest tells of progress; without one it is told when all is sent. */
export function fileSender(
  fetch: typeof globalThis.fetch | undefined,
  onProgress?: (progress: Progress) => void,
): SendFile {
  const Xhr: unknown = Reflect.get(globalThis, 'XMLHttpRequest');
  if (onProgress !== undefined && fetch === undefined && isXhr(Xhr))
    return (file) => sendByXhr(new Xhr(), file, onProgress);
  return async ({ url, signal, ...rest }) => {
    const response = await (fetch ?? globalThis.fetch)(url, { method: 'POST', signal: signal ?? null, ...rest });
    onProgress?.({ sent: rest.body.size, total: rest.body.size });
    return { status: response.status, text: await response.text() };
  };
}

/** What is needed of XMLHttpRequest. The types of a browser are not everywhere where this file is checked. */
interface Xhr {
  readonly status: number;
  readonly responseText: string;
  readonly upload: { addEventListener(type: 'progress', listen: (event: { readonly loaded: number }) => void): void };
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  addEventListener(type: 'load' | 'error' | 'abort', listen: () => void): void;
  send(body: Blob): void;
  abort(): void;
}

function isXhr(value: unknown): value is new () => Xhr {
  return typeof value === 'function';
}

function sendByXhr(
  xhr: Xhr,
  { url, headers, body, signal }: SentFile,
  onProgress: (progress: Progress) => void,
): ReturnType<SendFile> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => xhr.abort();
    signal?.addEventListener('abort', abort, { once: true });
    const end = () => signal?.removeEventListener('abort', abort);
    xhr.upload.addEventListener('progress', ({ loaded }) => onProgress({ sent: loaded, total: body.size }));
    xhr.addEventListener('load', () => {
      end();
      resolve({ status: xhr.status, text: xhr.responseText });
    });
    xhr.addEventListener('error', () => {
      end();
      reject(new TypeError('the upload could not be sent'));
    });
    xhr.addEventListener('abort', () => reject(signal?.reason));
    xhr.open('POST', url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.send(body);
  });
}
