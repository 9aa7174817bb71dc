import type { Operation } from '../support/operation.js';
import { dependencyOperations } from './dependencies.js';
import { findingOperations } from './findings.js';
import { peopleOperations } from './people.js';
import { sessionOperations } from './sessions.js';

/** Every procedure that needs a credential, by hand. A server that has another one fails the matrix. */
export const operations: readonly Operation[] = [
  ...[...peopleOperations, ...sessionOperations],
  ...[...dependencyOperations, ...findingOperations],
];

/** Calls by which somebody obtains a credential: they need none. */
export const publicPaths: readonly string[] = ['session.create', 'session.resetPassword', 'organisation.acceptInvite'];
