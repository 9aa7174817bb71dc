import type { Request, Response } from 'express';
import { ApiError } from '../http/api-error.js';

/** Sets the entity tag `"<revision>"` of an answer that has a `revision` (RFC 9110, 8.8.3). */
export function setEntityTag(res: Response, answer: Readonly<Record<string, unknown>>): void {
  const revision = answer['revision'];
  if (typeof revision === 'number') res.set('ETag', `"${revision}"`);
}

/** The revision that If-Match asks for; undefined without the header, or for `*`. */
function revisionOf(req: Request): number | undefined {
  const header = req.get('if-match')?.trim();
  if (header === undefined || header === '*') return undefined;
  const revision = /^"([1-9]\d{0,9})"$/.exec(header)?.[1];
  if (revision === undefined) {
    throw new ApiError('malformed_request', {
      detail: 'If-Match takes one entity tag as the API gave it, such as "3"',
    });
  }
  return Number(revision);
}

/** Fills `expected_revision` from If-Match. Rejects a request whose header and body name different revisions. */
export function withExpectedRevision(req: Request, input: unknown): unknown {
  const revision = revisionOf(req);
  if (revision === undefined || typeof input !== 'object' || input === null) return input;
  const given = 'expected_revision' in input ? input.expected_revision : undefined;
  if (given !== undefined && given !== revision) {
    throw new ApiError('malformed_request', { detail: 'If-Match and expected_revision differ: send one of them' });
  }
  return { ...input, expected_revision: revision };
}
