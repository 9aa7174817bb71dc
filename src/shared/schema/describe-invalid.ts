import type * as z from 'zod';
import type { InvalidCode, InvalidField, InvalidInput } from './invalid-field.js';

/** Errors reported at once. A list of 100,000 bad rows has one cause, not 100,000. */
const maxErrors = 20;

/** The errors of an input, in the same words on every transport. Values of the input are never repeated. */
export function describeInvalid(schema: z.ZodObject, error: z.ZodError): InvalidField[] {
  return codeInvalid(schema, error).map(({ field, message }) => ({ field, message }));
}

/** The same, each with its code. */
export function codeInvalid(schema: z.ZodObject, error: z.ZodError): InvalidInput[] {
  return error.issues.slice(0, maxErrors).flatMap((issue) => describeIssue(schema, issue));
}

const codes: Partial<Record<z.core.$ZodIssue['code'], InvalidCode>> = {
  invalid_type: 'wrong_type',
  invalid_format: 'wrong_format',
  invalid_value: 'not_one_of',
  too_small: 'too_small',
  too_big: 'too_large',
};

function describeIssue(schema: z.ZodObject, issue: z.core.$ZodIssue): InvalidInput[] {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const valid = issue.path.length === 0 ? Object.keys(schema.shape) : [];
    const advice = valid.length > 0 ? `; it takes ${valid.join(', ')}` : '';
    return issue.keys.map((key) => ({
      field: [...issue.path.map(String), key].join('.').slice(0, 200),
      message: `is not known${advice}`,
      code: 'not_known',
    }));
  }
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) {
    return [{ field, message: `is required (${issue.expected})`, code: 'required' }];
  }
  return [{ field, message: issue.message.replace(/^Invalid \w+: /, ''), code: codes[issue.code] ?? 'invalid' }];
}

/** The errors as one line of text: `page: is required (number); cve: is a CVE id such as CVE-2021-44228`. */
export function fieldErrorsText(errors: readonly InvalidField[]): string {
  return errors.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join('; ');
}
