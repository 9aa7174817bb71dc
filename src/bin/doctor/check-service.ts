import { codeOfError } from '../../shared/errors/code-of-error.js';
import { error, type Finding, ok } from './finding.js';

/** Milliseconds. */
const patienceMs = 5_000;

/** Whether the service of SERVICE_API_URL answers at all; what it answers without a credential is its own affair. */
export async function checkService(url: string): Promise<Finding> {
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' });
    return status >= 500
      ? error('service', `SERVICE_API_URL: the service answers ${status}`)
      : ok('service', 'the service of SERVICE_API_URL answers');
  } catch (failure) {
    const code = codeOfError(failure instanceof Error && failure.cause !== undefined ? failure.cause : failure);
    return error('service', `SERVICE_API_URL: nobody answers there (${code ?? 'no answer in 5 s'})`);
  }
}
