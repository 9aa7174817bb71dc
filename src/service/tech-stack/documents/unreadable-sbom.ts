import type * as z from 'zod';
import { reasons } from '../../../procedures/problem.js';
import { describeInvalid } from '../../../shared/schema/parse-input.js';
import { clip } from '../../../shared/text/cut.js';
import { ApiError } from '../../http/api-error.js';
import { maxComponents } from './sbom.js';

/** Characters of a place or an expectation. Keys come from the document, and so from its sender. */
const maxWords = 200;

/** The error for a document that is no SBOM known here: 422, its detail says what was expected where. */
export function unreadableSbom(expected: string): ApiError;
export function unreadableSbom<Schema extends z.ZodObject>(schema: Schema, error: z.ZodError): ApiError;
export function unreadableSbom(given: string | z.ZodObject, error?: z.ZodError): ApiError {
  const [first] = typeof given === 'string' || error === undefined ? [] : describeInvalid(given, error);
  const place = first === undefined || first.field === '' ? 'document' : `document.${clip(first.field, maxWords)}`;
  const expected = typeof given === 'string' ? given : clip(first?.message ?? 'cannot be read', maxWords);
  return new ApiError('invalid_input', {
    detail: `${place} ${expected}`,
    errors: [{ field: place, message: reasons.not_sbom, reason: 'not_sbom' }],
  });
}

export function tooManyComponents(): ApiError {
  return unreadableSbom(`must have at most ${maxComponents} components`);
}
