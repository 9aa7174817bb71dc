import { type Problem, problem } from '../../procedures/problem.js';
import { reportUploads } from '../../procedures/scanner-formats.js';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { fieldErrorsText } from '../../shared/schema/describe-invalid.js';
import { plainText } from '../../shared/text/plain-text.js';

/** A request failed: the service rejected it or could not be reached. The advice says what to do about it. */
export class RequestRejected extends Error {
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  readonly advice: string;

  constructor(status: number | null, message: string, advice: string) {
    super(message);
    this.name = 'RequestRejected';
    this.status = status;
    this.advice = advice;
  }
}

/** An HTTP response, as far as its error is read from it. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The parsed JSON body; undefined where the body is not JSON. */
  readonly json: unknown;
}

/** Fields named in one message. */
const maxFields = 5;

const notTheApi = 'Check SERVICE_API_URL: it must be the base address of the service, to which /api/… is added.';
const signIn = 'Set SERVICE_API_KEY to a ReadWrite API key of the organisation that has the project.';

/** The error for an answer other than success. `service` is the address, to name it. */
export function rejectionOf(
  service: string,
  { status, retryAfter, json }: Answer,
  fieldName = (field: string) => field,
): RequestRejected {
  const parsed = problem.safeParse(json);
  if (status >= 300 && status < 400) {
    return new RequestRejected(
      status,
      `${service} answered with a redirect (${status}), which is not followed`,
      'Set SERVICE_API_URL to the address that it redirects to.',
    );
  }
  if (!parsed.success)
    return new RequestRejected(status, `${service} answered ${status}, and not as the API does`, notTheApi);
  return new RequestRejected(
    status,
    messageOf(service, parsed.data, fieldName),
    adviceOn(service, parsed.data, retryAfter),
  );
}

function messageOf(
  service: string,
  { status, title, detail, errors, request_id }: Problem,
  fieldName: (field: string) => string,
): string {
  const fields = (errors ?? [])
    .slice(0, maxFields)
    .map(({ field, message, reason }) =>
      reason === 'no_image_ref'
        ? { field: '', message: 'the report names no image: give --image REF' }
        : { field: fieldName(field), message },
    );
  // For a report that cannot be read, the detail says what was expected and where.
  const explained = fields.length === 0 ? (detail ?? title) : [fieldErrorsText(fields), detail ?? []].flat().join(': ');
  const trace = request_id === undefined ? '' : ` (request ${plainText(request_id, 100)})`;
  return `${service} refused: ${plainText(explained, 2000)} [${status}]${trace}`;
}

/** Reasons that say that a file is not a report of its format. */
const otherFormat: ReadonlySet<string> = new Set(Object.values(reportUploads).map(({ reason }) => reason));

/** What is wrong with a request whose shape only one side knows. */
const otherVersion = /^is (?:not known|required \()/;
const versionAdvice = 'If the service is older than this program, update it; otherwise please report this.';

function adviceOn(
  service: string,
  { code, resource, reason, errors }: Problem,
  retryAfter: string | undefined,
): string {
  if (errors?.some(({ reason = '' }) => otherFormat.has(reason)) === true) {
    return 'Check that the file is such a report, and that its scan came to an end.';
  }
  if (reason === 'mostly_removed') {
    return 'If they are gone on purpose, add --force. If another lock file has the same source, give each a --source of its own.';
  }
  if (errors?.some(({ reason }) => reason === 'no_image_ref' || reason === 'not_an_image_ref') === true)
    return 'The reference of an image is as ghcr.io/acme/shop:1.2.';
  switch (code) {
    case 'unauthenticated':
      return `The key is not valid, or was revoked. ${signIn}`;
    case 'forbidden':
      return `The key may not write. ${signIn}`;
    case 'plan_required':
      return 'The organisation’s plan does not include this.';
    case 'not_found':
      return resource === 'project'
        ? `Check --project. List the ids with: curl -H "Authorization: Bearer $SERVICE_API_KEY" ${service}/api/projects`
        : notTheApi;
    case 'too_large':
      return 'Sync lock files one by one.';
    case 'too_slow':
      return 'Upload it over a faster connection, or compressed by gzip.';
    case 'rate_limited':
    case 'unavailable':
      return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter)
        ? `Try again in ${retryAfter} seconds.`
        : 'Try again later.';
    case 'internal':
      return 'The service failed. Try again; if it stays, give its operator the request id.';
    case 'invalid_input':
      return errors?.some(({ message }) => otherVersion.test(message)) === true
        ? versionAdvice
        : 'Correct what it names. If that is not yours to correct, please report this.';
    case 'malformed_request':
    case 'method_not_allowed':
    case 'unsupported_media_type':
      return versionAdvice;
    case 'conflict':
    case 'revision_mismatch':
      return 'Run the command again; if it stays, please report this.';
  }
}

/** The error for a service that could not be reached, or whose answer broke off. */
export function unreachable(service: string, error: unknown): RequestRejected {
  const code = codeOfError(error) ?? (error instanceof Error ? error.name : 'unknown error');
  const advice = `Is the service running there? SERVICE_API_URL sets the address (now ${service}).`;
  if (code === 'TimeoutError')
    return new RequestRejected(null, `${service} did not answer in time`, 'Try again later.');
  if (code === 'ECONNREFUSED') return new RequestRejected(null, `${service} refused the connection`, advice);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new RequestRejected(null, `the host of ${service} was not found`, advice);
  return new RequestRejected(null, `${service} could not be reached (${plainText(code, 60)})`, advice);
}
