import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response, Router } from 'express';
import * as z from 'zod';
import { describeInvalid } from '../../shared/schema/parse-input.js';
import type { Database } from '../db/database.js';
import { ApiError } from '../http/api-error.js';
import { routerOf } from '../http/routes.js';
import { answerLines } from './answer-lines.js';
import { readCovers } from './covered-ecosystems.js';
import { FeedError, feedKinds, fileTypeOf } from './feed.js';
import { loadWithEvents } from './feed-event.js';
import { type FeedOrigin, originsOf, publicFeeds } from './feed-origins.js';
import { readStatus } from './feed-status.js';
import { limitBytes } from './file-bytes.js';
import { reconcileWith } from './load-context.js';
import { syncFeeds } from './sync.js';

export interface OperatorFeedOptions {
  readonly database: Database;
  /** Uploads and downloads are kept in it until they are loaded. */
  readonly dataDir: string;
  readonly origins?: readonly FeedOrigin[];
  readonly maxUploadBytes?: number;
}

/** All of OSV is about 1 GB packed. */
const uploadLimit = 4 * 1024 ** 3;

const loadInput = z.strictObject({
  kind: z.enum(feedKinds),
  name: z.string().min(1).max(255),
  on_bad: z.enum(['report', 'refuse']).default('report'),
  covers: z.string().max(200).optional(),
});

const syncInput = z.strictObject({ only: z.string().max(1000).default('') });

/**
 * How an operator updates the intelligence while the service has the database open. Paths are relative to
 * `/api/operator`; the operator key has been checked.
 * - `GET /feeds`: what is loaded, and how old it is.
 * - `PUT /feeds/{osv|epss|kev}?name=FILE[&on_bad=refuse][&covers=npm,PyPI]`, the file as the body: loads it.
 * - `POST /feeds/sync[?only=osv,kev]`: downloads the public feeds and loads them.
 * The last two answer lines of JSON (`feedLine`).
 */
export function operatorFeedRoutes(options: OperatorFeedOptions): Router {
  return routerOf([
    {
      method: 'GET',
      path: '/feeds',
      answer: async (_req, res) => {
        res.json(await options.database.system((tx) => readStatus(tx, new Date())));
      },
    },
    { method: 'POST', path: '/feeds/sync', answer: (req, res) => answerSync(options, req, res) },
    { method: 'PUT', path: '/feeds/{kind}', answer: (req, res) => answerLoad(options, req, res) },
  ]);
}

async function answerLoad(options: OperatorFeedOptions, req: Request, res: Response): Promise<void> {
  const { database, dataDir, maxUploadBytes = uploadLimit } = options;
  const { kind, name, on_bad: onBad, covers: stated } = parsed(loadInput, { ...req.query, ...req.params });
  const part = basename(name);
  validField('name', () => fileTypeOf(kind, part));
  const covers = stated === undefined || kind !== 'osv' ? undefined : validField('covers', () => readCovers(stated));
  await withSpooledFile(req, { dataDir, maxBytes: maxUploadBytes }, (path) =>
    answerLines(res, (emit, signal) =>
      loadWithEvents(
        { database, signal, reconcile: reconcileWith(database) },
        { kind, part, file: { path, name: part }, onBad, covers, validator: null },
        emit,
      ),
    ),
  );
}

/** Writes a stream to a file in the data folder, uses the file, and removes it whatever happens. */
async function withSpooledFile<T>(
  stream: Readable,
  { dataDir, maxBytes }: { readonly dataDir: string; readonly maxBytes: number },
  use: (path: string) => Promise<T>,
): Promise<T> {
  const uploads = join(dataDir, 'uploads');
  await mkdir(uploads, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(uploads, 'feed-'));
  const tooLarge = () => new ApiError('too_large', { detail: `a feed file may have at most ${maxBytes} bytes` });
  try {
    const path = join(folder, 'upload');
    await pipeline(stream, limitBytes(maxBytes, tooLarge), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function answerSync(options: OperatorFeedOptions, req: Request, res: Response): Promise<void> {
  const { database, dataDir, origins = publicFeeds } = options;
  const { only } = parsed(syncInput, req.query);
  const wanted = validField('only', () => originsOf(origins, only === '' ? [] : only.split(',')));
  await answerLines(res, (emit, signal) =>
    syncFeeds({ database, dataDir, signal, emit, reconcile: reconcileWith(database) }, wanted),
  );
}

/** Runs `read`; a `FeedError` becomes the answer that this field is not valid. */
function validField<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    throw new ApiError('invalid_input', { errors: [{ field, message: error.message }] });
  }
}

function parsed<Input extends z.ZodObject>(schema: Input, value: unknown): z.output<Input> {
  const result = schema.safeParse(value);
  if (!result.success) throw new ApiError('invalid_input', { errors: describeInvalid(schema, result.error) });
  return result.data;
}
