import { createTRPCClient, type TRPCClient } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../gateway/trpc/app-router.js';
import { type PosternLinkOptions, posternLinks } from './links.js';

export type { ErrorCode, FieldCode, FieldError } from '../gateway/error-code.js';
export type {
  AppRouter,
  DocumentInput,
  DocumentPath,
  ErrorShape,
  Reason,
  UploadInput,
  UploadPath,
} from '../gateway/trpc/app-router.js';
export type { CredentialSource, Door } from './door.js';
export { isPosternError, type PosternError } from './errors.js';
export { documentUrl, type Uploaded, type UploadOptions, uploadReport } from './files.js';
export { type PosternLinkOptions, posternLinks } from './links.js';
export { nextCursor } from './paging.js';
export type { Progress } from './send-file.js';
export {
  chooseOrganisation,
  finishSignIn,
  type OrganisationChoice,
  renewSession,
  type SessionExpiry,
  type SignedOut,
  signIn,
  signOut,
  switchOrganisation,
} from './session.js';

/** Inputs by group and member: `RouterInputs['alerts']['list']`. A timestamp is a `Date` or a text. */
export type RouterInputs = inferRouterInputs<AppRouter>;

/** Outputs by group and member, timestamps as `Date`. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;

export type PosternClient = TRPCClient<AppRouter>;

/**
 * A typed client of the gateway. Calls made in the same tick are sent in one request. Without a credential the session of the
 * browser counts (`signIn`), for pages of the gateway's own origin.
 */
export function createPosternClient(options: PosternLinkOptions = {}): PosternClient {
  return createTRPCClient<AppRouter>({ links: posternLinks(options) });
}
