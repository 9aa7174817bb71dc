import { readRequestId } from '../shared/http/request-id.js';
import { type Credential, readCredential } from './credential.js';
import { readTraceContext, type TraceContext } from './trace-context.js';

/** The caller of a request. The gateway only checks that a credential is there; the service decides what it may do. */
export interface Caller {
  readonly credential: Credential | null;
  readonly requestId: string;
  readonly trace: TraceContext | null;
}

type ReadHeader = (name: string) => string | undefined;

/** The caller behind a request's headers. */
export function readCaller(header: ReadHeader): Caller {
  return {
    credential: readCredential({ authorization: header('authorization'), serviceKey: header('x-service-key') }),
    requestId: readRequestId(header('x-request-id')),
    trace: readTraceContext(header('traceparent'), header('tracestate')),
  };
}
