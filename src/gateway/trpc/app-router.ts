import type { TRPC_ERROR_CODE_KEY, TRPCBuiltRouter } from '@trpc/server';
import type { Reason } from '../../procedures/problem.js';
import type { ErrorCode, FieldError } from '../error-code.js';
import type { RouterRecord } from './router-record.js';

// What a frontend has of the gateway, as types alone. The build publishes this file as it is, but for `RouterRecord` and `Reason`,
// which it writes out (scripts/client-types).

export type { Reason };

/** An error as every answer under /trpc has it. */
export interface ErrorShape {
  /** JSON-RPC's number of the error. */
  readonly code: number;
  readonly message: string;
  readonly data: {
    /** tRPC's name of the error. */
    readonly code: TRPC_ERROR_CODE_KEY;
    readonly httpStatus: number;
    readonly path: string | undefined;
    /** What went wrong; several of these share one tRPC code. */
    readonly failure: ErrorCode;
    readonly reason: Reason | null;
    /** What may have been meant; the organisations of a `several_organisations`. */
    readonly likely: readonly { readonly id: string; readonly name: string }[];
    readonly fields: readonly FieldError[];
    readonly retryAfterSeconds: number | null;
    readonly requestId: string | null;
  };
}

/** The router as a client knows it. */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: true },
  RouterRecord
>;

/** What of the input of an upload is in its body. */
interface InBody {
  'sast.uploadReport': 'report';
  'dast.uploadReport': 'report';
  'containers.uploadReport': 'report';
  'reachability.uploadUsageReport': 'report';
  'techStack.uploadSbom': 'document';
  'techStack.sync': 'source' | 'former' | 'force' | 'packages' | 'unread' | 'tool';
  'vex.upload': 'document';
}

/** The procedures with `POST /trpc/upload/{path}`. */
export type UploadPath = keyof InBody;

/** The procedures with `GET /trpc/document/{path}`. */
export type DocumentPath =
  | 'intelligence.getSbomDocument'
  | 'intelligence.exportOpenVex'
  | 'organisation.exportAuditLog';

/** No call carries this document. Both are dates or RFC 3339 times; `until` is not included. */
interface ExportAuditLogInput {
  since?: string | undefined;
  until?: string | undefined;
}

type ProcedureAt<Path extends string> = Path extends `${infer Group}.${infer Member}`
  ? Group extends keyof RouterRecord
    ? Member extends keyof RouterRecord[Group]
      ? RouterRecord[Group][Member]
      : never
    : never
  : never;

type InputAt<Path extends string> = ProcedureAt<Path>['_def']['$types']['input'];

/** The input of an upload, without its document. */
export type UploadInput<Path extends UploadPath> = Omit<InputAt<Path>, InBody[Path]>;

/** What a procedure answers. */
export type OutputAt<Path extends string> = ProcedureAt<Path>['_def']['$types']['output'];

export type DocumentInput<Path extends DocumentPath> = Path extends 'organisation.exportAuditLog'
  ? ExportAuditLogInput
  : InputAt<Path>;
