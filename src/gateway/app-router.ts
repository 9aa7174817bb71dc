import type { TRPC_ERROR_CODE_KEY, TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type * as z from 'zod';
import type { Composite, Groups, Procedure } from '../procedures/define.js';
import type { Procedures } from '../procedures/index.js';
import type { Reason } from '../procedures/problem.js';
import type { FieldError } from '../shared/schema/describe-invalid.js';
import type { ErrorCode } from './error-code.js';

// What a frontend has of the gateway, as types alone. This file imports nothing that needs a server's types.

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
    readonly fields: readonly FieldError[];
    readonly retryAfterSeconds: number | null;
    readonly requestId: string | null;
  };
}

/** An input, with a `Date` as well as a text wherever the answer of a schema has one. */
type WithDates<Input, Output> = Output extends Date
  ? Input | Date
  : Input extends readonly (infer In)[]
    ? Output extends readonly (infer Out)[]
      ? WithDates<In, Out>[]
      : Input
    : Input extends object
      ? { [Key in keyof Input]: Key extends keyof Output ? WithDates<Input[Key], Output[Key]> : Input[Key] }
      : Input;

/** A list may be asked by `cursor`, the number of a page: libraries for endless lists use that name. */
type WithCursor<Input> = 'page' extends keyof Input ? Flat<Input & { cursor?: number | null | undefined }> : Input;

type Flat<T> = { [Key in keyof T]: T[Key] };

type DoorInput<Input extends z.ZodType> = WithCursor<WithDates<z.input<Input>, z.output<Input>>>;

/** Where every field of an input is optional, the input itself is optional. */
type ClientInput<Input extends z.ZodType> =
  // biome-ignore lint/complexity/noBannedTypes: `{}` asks whether every field is optional.
  // biome-ignore lint/suspicious/noConfusingVoidType: only `void` makes the argument one that may be left out.
  {} extends DoorInput<Input> ? DoorInput<Input> | void : DoorInput<Input>;

interface Types<Input extends z.ZodType, Output extends z.ZodType> {
  input: ClientInput<Input>;
  output: z.output<Output>;
  meta: unknown;
}

type ToTrpcProcedure<P> =
  P extends Procedure<infer A, infer Input, infer Output>
    ? A extends 'read'
      ? TRPCQueryProcedure<Types<Input, Output>>
      : TRPCMutationProcedure<Types<Input, Output>>
    : P extends Composite<infer Input, infer Output>
      ? TRPCQueryProcedure<Types<Input, Output>>
      : never;

/** The shared definitions as tRPC's router record: the same keys, so "go to definition" lands on the definition. */
type ToRecord<G extends Groups> = {
  [Group in keyof G]: { [Member in keyof G[Group]]: ToTrpcProcedure<G[Group][Member]> };
};

export type RouterRecord = ToRecord<Procedures>;

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
  'techStack.sync': 'source' | 'former' | 'force' | 'packages';
  'vex.upload': 'document';
}

/** The procedures with `POST /trpc/upload/{path}`. */
export type UploadPath = keyof InBody;

/** The procedures with `GET /trpc/document/{path}`. */
export type DocumentPath = 'intelligence.getSbomDocument' | 'intelligence.exportOpenVex';

type DefinitionAt<Path extends string> = Path extends `${infer Group}.${infer Member}`
  ? Group extends keyof Procedures
    ? Member extends keyof Procedures[Group]
      ? Procedures[Group][Member]
      : never
    : never
  : never;

type InputAt<Path extends string> = z.input<DefinitionAt<Path>['input']>;

/** The input of an upload, without its document. */
export type UploadInput<Path extends UploadPath> = Omit<InputAt<Path>, InBody[Path]>;

/** What a procedure answers. */
export type OutputAt<Path extends string> = z.output<DefinitionAt<Path>['output']>;

export type DocumentInput<Path extends DocumentPath> = InputAt<Path>;
