import type { Operation } from '../support/operation.js';
import { dependencyOperations } from './dependencies.js';
import { findingOperations } from './findings.js';
import { peopleOperations } from './people.js';
import { sessionOperations } from './sessions.js';
import { signInOperations } from './sign-in.js';

/** Every procedure that needs a credential, by hand. A server that has another one fails the matrix. */
export const operations: readonly Operation[] = [
  ...[...peopleOperations, ...sessionOperations, ...signInOperations],
  ...[...dependencyOperations, ...findingOperations],
];

/** Every way to call them: a list that is of one project or of all is here twice. */
export const forms: readonly Operation[] = operations.flatMap((operation) => [operation, ...overAll(operation)]);

function overAll({ everywhere, ofGroup, input, ...operation }: Operation): Operation[] {
  if (everywhere === undefined) return [];
  const withoutProject: Operation['input'] = (ids, mark) => {
    const { project_id: _project, image: _image, ...rest } = input(ids, mark);
    return rest;
  };
  return [{ ...operation, http: everywhere, input: ofGroup ?? withoutProject }];
}

/** Calls by which somebody obtains a credential: they need none. */
export const publicPaths: readonly string[] = [
  ...['session.create', 'session.resetPassword', 'organisation.acceptInvite'],
  ...['session.signInOptions', 'session.beginSignIn', 'session.finishSignIn', 'session.chooseOrganisation'],
  'receipts.getKeys',
];
