import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../db/database.js';
import { ApiError, conflict } from '../http/api-error.js';
import { isLockTimeout } from '../http/database-failure.js';
import type { Answer, Performed } from './answer.js';

/** How long the answer of a request is kept for its repetitions. */
const retentionMs = 24 * 60 * 60 * 1000;

/** Expired rows that one request deletes. */
const cleanupBatchSize = 100;

export interface IdempotentRequest {
  readonly organisationId: string;
  readonly callerId: string;
  readonly procedure: string;
  /** The header's value. */
  readonly key: string;
  /** SHA-256 of method, URL and body. */
  readonly requestHash: Buffer;
}

/** The Idempotency-Key of a POST; undefined where it has none. */
export function idempotencyKeyOf(req: Request): string | undefined {
  const key = req.method === 'POST' ? req.get('idempotency-key') : undefined;
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ApiError('malformed_request', { detail: 'Idempotency-Key takes 1 to 255 visible ASCII characters' });
  }
  return key;
}

/**
 * Runs a request at most once per key. The key's row is inserted first, in the same transaction. A second request with
 * the key waits for that row: if the first commits, it gets the first one's answer; if the first fails, it runs itself.
 */
export async function answerOnce(
  tx: Transaction,
  request: IdempotentRequest & { readonly answersSecret: boolean },
  now: Date,
  run: () => Promise<Answer>,
): Promise<Performed> {
  const { organisationId: organisation_id, requestHash: request_hash } = request;
  const key_hash = keyHashOf(request);
  await deleteExpired(tx, organisation_id, now);
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values({ organisation_id, key_hash, request_hash, status: 200, response: sql<string>`null`, created_at: now })
    .onConflict((conflicting) => conflicting.columns(['organisation_id', 'key_hash']).doNothing())
    .returning('status')
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw isLockTimeout(error) ? conflict('in_progress') : error;
    });
  if (claimed === undefined) return { answer: await earlierAnswer(tx, request), replayed: true };
  const answer = await run();
  if (!request.answersSecret) {
    await tx
      .updateTable('idempotency_keys')
      .set({ response: JSON.stringify(answer) })
      .where(isKeyOf(request))
      .execute();
  }
  return { answer, replayed: false };
}

/** The answer of an earlier request with the key; undefined where there was none. Throws 409 for another request. */
export async function storedAnswer(
  tx: Transaction,
  request: IdempotentRequest,
  now: Date,
): Promise<Answer | undefined> {
  const known = await tx
    .selectFrom('idempotency_keys')
    .select('created_at')
    .where(isKeyOf(request))
    .where('created_at', '>=', new Date(now.getTime() - retentionMs))
    .executeTakeFirst();
  return known === undefined ? undefined : earlierAnswer(tx, request);
}

/** Another request with the same key was answered while this one was under way. */
export class AnsweredBefore extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('The request was answered before.');
    this.name = 'AnsweredBefore';
    this.answer = answer;
  }
}

/** JSON keeps the parts distinct whatever characters they contain. */
export function keyHashOf({ callerId, procedure, key }: IdempotentRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([callerId, procedure, key]))
    .digest();
}

function isKeyOf(request: IdempotentRequest): RawBuilder<boolean> {
  return sql<boolean>`organisation_id = ${request.organisationId} and key_hash = ${keyHashOf(request)}`;
}

async function earlierAnswer(tx: Transaction, request: IdempotentRequest): Promise<Answer> {
  const row = await tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'response'])
    .where(isKeyOf(request))
    .executeTakeFirst();
  // It expired and was deleted between the two statements. The next repetition runs as a new request.
  if (row === undefined) throw conflict('in_progress');
  if (!row.request_hash.equals(request.requestHash)) throw conflict('idempotency_key_reused');
  if (row.response === null) {
    throw new ApiError('conflict', { detail: 'the first request was done; its answer held a secret and was not kept' });
  }
  return row.response;
}

/** Skips rows that another request is deleting at the same time. */
async function deleteExpired(tx: Transaction, organisationId: string, now: Date): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('organisation_id', '=', organisationId)
    .where('key_hash', 'in', (old) =>
      old
        .selectFrom('idempotency_keys')
        .select('key_hash')
        .where('organisation_id', '=', organisationId)
        .where('created_at', '<', new Date(now.getTime() - retentionMs))
        .orderBy('created_at')
        .limit(cleanupBatchSize)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}
