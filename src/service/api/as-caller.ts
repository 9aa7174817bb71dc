import type { Logger } from 'pino';
import { isCallable, type Procedure } from '../../procedures/define.js';
import { permissions } from '../../procedures/permissions.js';
import type { ForwardedCaller } from '../../shared/http/forwarded-caller.js';
import { authenticate, bearerOf, type RunStatements } from '../auth/authenticate.js';
import type { Caller } from '../auth/caller.js';
import type { CallerCache } from '../auth/caller-cache.js';
import type { IssuerTokens } from '../auth/issuer-tokens.js';
import { isGuardedPath, needsGrant, requirePermission, requireProject, requireScope } from '../auth/permissions.js';
import { roleInProject } from '../auth/role-in-project.js';
import type { SessionTokens } from '../auth/session-token.js';
import type { Database } from '../db/database.js';
import type { Admission } from '../limits/admission.js';
import { auditedRead } from './audited-read.js';
import type { RequestParameters } from './perform.js';

/**
 * Puts ids in the place of names. What names nothing that the caller may see is a 404 with what may have been meant. A request that has
 * ids already costs nothing.
 */
export type ResolveNames = (
  procedure: Procedure,
  caller: Caller,
  parameters: RequestParameters,
) => Promise<RequestParameters>;

/** What answering a request takes, whether it came over HTTP or from the gateway of this process. */
export interface AnsweringOptions {
  readonly database: Database;
  readonly tokens: SessionTokens;
  /** Of the OAuth issuer, where there is one. */
  readonly issuerTokens: IssuerTokens | null;
  readonly callers: CallerCache;
  readonly admission: Admission;
  readonly logger: Logger;
  readonly resolveNames: ResolveNames;
  /** Reads with an API key leave a row in the audit log. */
  readonly auditReads?: boolean | undefined;
  /** Called with every finished request, for metrics. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

export interface RequestRecord {
  /** `group.member`. */
  readonly procedure: string;
  /** HTTP status; null where the client has left. */
  readonly status: number | null;
  readonly durationMs: number;
}

/** A procedure by its name, as `alerts.list`. */
interface Named {
  readonly name: string;
  readonly procedure: Procedure;
}

/** What is known of a request before its caller is. */
export interface Arrived {
  readonly authorization: string | undefined;
  readonly from: ForwardedCaller;
  /** `X-Organisation`: which of a person's organisations is meant. */
  readonly organisation: string | undefined;
  readonly requestId: string;
  /** Aborted when the caller has left. */
  readonly left: AbortSignal;
  /** Puts fields such as `RateLimit` into the answer's header. */
  readonly show: (fields: Readonly<Record<string, string>>) => void;
}

/** Finds out who is calling, in turn and within limits, and runs the work. Throws `ApiError` or `Refusal`. */
export async function asCaller<T>(
  { name, procedure }: Named,
  { authorization, organisation, from, requestId, left, show }: Arrived,
  { admission, tokens, issuerTokens, database, callers, auditReads }: AnsweringOptions,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const credential = bearerOf(authorization);
  const origin = { ip: from.address, device: from.userAgent, requestId };
  if (credential !== undefined) await issuerTokens?.prepare(credential);
  return admission.admit(
    {
      credential,
      address: from.address,
      left,
      show,
      ownTurns: procedure.maxBytes !== undefined || !isCallable(procedure),
    },
    (lane, asked) => {
      const statements: RunStatements = (run) => {
        asked();
        return database.statements(run, lane);
      };
      const claimed = { authorization, organisation, door: from.door, origin };
      return authenticate({ statements, tokens, issuerTokens, cache: callers }, claimed, new Date());
    },
    (caller) => {
      if (auditReads !== true) return work(caller);
      return auditedRead({ database, name, procedure, caller, ...origin }, () => work(caller));
    },
  );
}

/**
 * What a request names, by ids. Throws where the caller may not call the procedure, or not for the project in its path:
 * whoever may not call it learns nothing of names.
 */
export async function permittedParameters(
  { name, procedure }: Named,
  caller: Caller,
  parameters: RequestParameters,
  { resolveNames, database }: AnsweringOptions,
): Promise<RequestParameters> {
  if (!isGuardedPath(name)) throw new Error(`${name} has no permission`);
  const permission = permissions[name];
  requireScope(procedure, caller);
  const dependsOnProject = needsGrant(permission, caller);
  if (!dependsOnProject) requirePermission(permission, caller);
  const named = await resolveNames(procedure, caller, parameters);
  const projectId = named.path['project_id'];
  requireProject(projectId, caller);
  if (dependsOnProject) {
    const isOfProject = typeof projectId === 'string';
    requirePermission(permission, caller, isOfProject ? await roleInProject(database, caller, projectId) : undefined);
  }
  return named;
}

/** Starts the clock of a request. The function that it answers is called at its end, with its status or null where the caller has left. */
export function logRequest(
  { name }: Named,
  requestId: string,
  { logger, onRequest }: AnsweringOptions,
): (status: number | null) => void {
  const startedAt = performance.now();
  return (status) => {
    const durationMs = performance.now() - startedAt;
    onRequest?.({ procedure: name, status, durationMs });
    const outcome = status === null ? { disconnected: true } : { status };
    logger.info({ request_id: requestId, procedure: name, ...outcome, duration_ms: Math.round(durationMs) }, 'request');
  };
}
