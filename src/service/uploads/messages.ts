import * as z from 'zod';
import { apiKeyScope } from '../../procedures/api-keys.js';
import { grantedRole, plan, role } from '../../procedures/organisation.js';
import { problem } from '../../procedures/problem.js';
import { uploadPhase } from '../../procedures/uploads.js';
import { ofUser, toUser } from '../db/embedded/worker-messages.js';
import { ofTurns, toTurns } from './turn-messages.js';

/** A message may have a Buffer as the plain bytes that it is made of. */
const bytes = z
  .instanceof(Uint8Array)
  .transform((view): Buffer => Buffer.from(view.buffer, view.byteOffset, view.byteLength));

const common = { organisationId: z.string(), plan, id: z.string(), name: z.string() };

const caller = z.discriminatedUnion('kind', [
  z.object({
    ...{ kind: z.literal('member'), ...common, role, sessionId: z.string().nullable(), issuer: z.string().nullable() },
    ...{ access: z.enum(['read', 'write']), expiresAt: z.date() },
    grants: z.array(z.object({ groupId: z.string(), role: grantedRole })).readonly(),
  }),
  z.object({
    ...{ kind: z.literal('api_key'), ...common, scope: apiKeyScope },
    ...{ expiresAt: z.date().nullable(), projectIds: z.array(z.string()).readonly().nullable() },
  }),
]);

/** One upload, from the main process to a worker. */
const uploadTask = z.object({
  id: z.string(),
  /** As `sast.uploadReport`. */
  procedure: z.string(),
  request: z.object({
    caller,
    path: z.record(z.string(), z.unknown()),
    query: z.record(z.string(), z.unknown()),
    ip: z.string().nullable(),
    device: z.string().nullable(),
    requestId: z.string(),
    idempotency: z.object({ key: z.string(), requestHash: bytes }).nullable(),
  }),
  body: z.union([z.object({ bytes }), z.object({ file: z.string() })]),
  contentType: z.string().nullable(),
});
export type UploadTask = z.output<typeof uploadTask>;

const step = z.object({ phase: uploadPhase, done: z.int(), of: z.int() });
export type UploadStep = z.infer<typeof step>;

/** From a worker: progress, then one of the others. */
const uploadReport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), ...step.shape }),
  z.object({
    kind: z.literal('done'),
    answer: z.record(z.string(), z.unknown()),
    replayed: z.boolean(),
    /** Bytes of memory that the worker has now. */
    memory: z.int(),
  }),
  z.object({
    kind: z.literal('refused'),
    details: problem.omit({ type: true, title: true, status: true }),
    retryAfterSeconds: z.int().nullable(),
    /** What the log should know of an error that is nobody's input; null where there is none. */
    failure: z.record(z.string(), z.unknown()).nullable(),
    memory: z.int(),
  }),
]);
export type UploadReport = z.infer<typeof uploadReport>;

/** From the parent: first `open`, then uploads, one after the other. `database` is of the line to the embedded one, `turns` of the
 * turns in front of it.
 */
export const toUploadProcess = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('open'),
    database: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('embedded') }),
      z.object({ kind: z.literal('server'), databaseUrl: z.string() }),
    ]),
  }),
  z.object({ kind: z.literal('upload'), task: uploadTask }),
  z.object({ kind: z.literal('database'), message: toUser }),
  z.object({ kind: z.literal('turns'), message: toTurns }),
]);
export type ToUploadProcess = z.output<typeof toUploadProcess>;

/** To the parent. `crashed`: an error ends the process. */
export const fromUploadProcess = z.discriminatedUnion('kind', [
  ...uploadReport.options,
  z.object({ kind: z.literal('crashed'), failure: z.record(z.string(), z.unknown()) }),
  z.object({ kind: z.literal('database'), message: ofUser }),
  z.object({ kind: z.literal('turns'), message: ofTurns }),
]);
export type FromUploadProcess = z.output<typeof fromUploadProcess>;
