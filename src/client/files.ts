import superjson from 'superjson';
import type { DocumentInput, DocumentPath, OutputAt, UploadInput, UploadPath } from '../gateway/trpc/app-router.js';
import { addressOf, type CredentialSource, credentialHeaders, type Door, readAnswer } from './door.js';
import { fieldOf } from './errors.js';
import { fileSender, type Progress } from './send-file.js';

// Files, which calls do not carry: uploads of up to 64 MB, and documents to keep.

export interface UploadOptions extends Door {
  readonly credential?: CredentialSource;
  /** Default: that of the file, or JSON. A compressed file is `application/gzip`. */
  readonly contentType?: string | undefined;
  /** How far it is. In a browser while it is sent; elsewhere once, when all is sent. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What became of an upload: the procedure's answer, or a job that the service goes on with (`uploads.get` follows it). */
export type Uploaded<Path extends UploadPath> =
  | { readonly answer: OutputAt<Path>; readonly job: null }
  | { readonly answer: null; readonly job: OutputAt<'uploads.get'> };

/**
 * Uploads a report, SBOM or other document: `uploadReport('sast.uploadReport', {project_id, source_repo}, file)`.
 * Throws `PosternError` as the call would; what is wrong in the document has `report` or `document` as its field.
 */
export async function uploadReport<Path extends UploadPath>(
  path: Path,
  input: UploadInput<Path>,
  document: Blob | string | Uint8Array<ArrayBuffer>,
  { url, fetch, credential, contentType, onProgress, signal }: UploadOptions = {},
): Promise<Uploaded<Path>> {
  const body = document instanceof Blob ? document : new Blob([document]);
  const headers = {
    ...(await credentialHeaders(credential)),
    'content-type': contentType ?? (body.type === '' ? 'application/json' : body.type),
  };
  const send = fileSender(fetch, onProgress);
  const sent = send({ url: `${addressOf(url)}/upload/${path}${queryOf(input)}`, headers, body, signal });
  const { status, body: answered } = await readAnswer(sent);
  const data = Object(fieldOf(fieldOf(answered, 'result'), 'data'));
  return status === 202
    ? { answer: null, job: superjson.deserialize<OutputAt<'uploads.get'>>(data) }
    : { answer: superjson.deserialize<OutputAt<Path>>(data), job: null };
}

/** The address of a document, for a link in a page whose session is the browser's: `<a href download>`. */
export function documentUrl<Path extends DocumentPath>(path: Path, input: DocumentInput<Path>, url?: string): string {
  return `${addressOf(url)}/document/${path}${queryOf(input)}`;
}

function queryOf(input: object): string {
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
