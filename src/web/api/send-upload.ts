import { TRPCClientError } from '@trpc/client';
import * as z from 'zod/mini';

interface Progress {
  readonly sent: number;
  readonly total: number;
}

interface Upload {
  /** As `sast.uploadReport`. */
  readonly path: string;
  /** The procedure's input without its document. */
  readonly input: Readonly<Record<string, string>>;
  readonly body: Blob;
  readonly contentType: string;
  readonly onProgress: (progress: Progress) => void;
}

/** What a file became: its answer, or the id of the job that will have one. */
export type Outcome =
  | { readonly job: string; readonly answer: null }
  | { readonly job: null; readonly answer: unknown };

const answered = z.object({ result: z.object({ data: z.object({ json: z.unknown() }) }) });
const refused = z.object({ error: z.object({ json: z.looseObject({ message: z.string() }) }) });
const accepted = z.object({ id: z.string() });

/** Sends a file. Fails as calls do: with a `PosternError` where the gateway has answered. */
export function sendUpload({ path, input, body, contentType, onProgress }: Upload): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // `fetch` does not say how much of a body was sent.
    const request = new XMLHttpRequest();
    request.open('POST', `/trpc/upload/${path}?${new URLSearchParams(input)}`);
    request.setRequestHeader('content-type', contentType);
    request.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
    request.onerror = () => reject(new Error('the server did not answer'));
    request.onload = () => {
      try {
        resolve(readOutcome(request.status, JSON.parse(request.responseText)));
      } catch (error) {
        reject(error);
      }
    };
    request.send(body);
  });
}

function readOutcome(status: number, text: unknown): Outcome {
  const failure = refused.safeParse(text);
  if (failure.success) throw TRPCClientError.from({ error: failure.data.error.json });
  const { json } = answered.parse(text).result.data;
  return status === 202 ? { job: accepted.parse(json).id, answer: null } : { job: null, answer: json };
}
