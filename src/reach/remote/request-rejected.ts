import { type Problem, problem } from '../../procedures/problem.js';
import { reportUploads } from '../../procedures/scanner-formats.js';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { fieldErrorsText } from '../../shared/schema/parse-input.js';
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

interface AdviceFacts extends Pick<Problem, 'resource' | 'errors'> {
  readonly service: string;
  readonly retryAfter: string | undefined;
}

const retryAdvice = ({ retryAfter = '' }: AdviceFacts) =>
  /^\d{1,6}$/.test(retryAfter) ? `Try again in ${retryAfter} seconds.` : 'Try again later.';
const repeatAdvice = 'Run the command again; if it stays, please report this.';

const adviceByCode: Readonly<Record<Problem['code'], string | ((facts: AdviceFacts) => string)>> = {
  unauthenticated: `The key is not valid, or was revoked. ${signIn}`,
  forbidden: `The key may not write. ${signIn}`,
  plan_required: 'The organisation’s plan does not include this.',
  not_found: ({ resource, service }) =>
    resource === 'project'
      ? `Check --project. List the ids with: curl -H "Authorization: Bearer $SERVICE_API_KEY" ${service}/api/projects`
      : notTheApi,
  too_large: 'Sync lock files one by one.',
  too_slow: 'Upload it over a faster connection, or compressed by gzip.',
  rate_limited: retryAdvice,
  unavailable: retryAdvice,
  internal: 'The service failed. Try again; if it stays, give its operator the request id.',
  invalid_input: ({ errors = [] }) =>
    errors.some(({ message }) => otherVersion.test(message))
      ? versionAdvice
      : 'Correct what it names. If that is not yours to correct, please report this.',
  malformed_request: versionAdvice,
  method_not_allowed: versionAdvice,
  unsupported_media_type: versionAdvice,
  conflict: repeatAdvice,
  revision_mismatch: repeatAdvice,
};

function adviceOn(service: string, { reason, ...problem }: Problem, retryAfter: string | undefined): string {
  const reasons = (problem.errors ?? []).map((error) => error.reason ?? '');
  if (reasons.some((each) => otherFormat.has(each))) {
    return 'Check that the file is such a report, and that its scan came to an end.';
  }
  if (reason === 'mostly_removed') {
    return 'If they are gone on purpose, add --force. If another lock file has the same source, give each a --source of its own.';
  }
  if (reasons.some((each) => each === 'no_image_ref' || each === 'not_an_image_ref')) {
    return 'The reference of an image is as ghcr.io/acme/shop:1.2.';
  }
  const advice = adviceByCode[problem.code];
  return typeof advice === 'string' ? advice : advice({ ...problem, service, retryAfter });
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
