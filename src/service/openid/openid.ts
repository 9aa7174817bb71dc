import type { Logger } from 'pino';
import { Agent } from 'undici';
import { reasons } from '../../procedures/problem.js';
import type { SessionTokens } from '../auth/session-token.js';
import type { Database, Transaction } from '../db/database.js';
import { ApiError } from '../http/api-error.js';
import type { AllowedHosts } from '../outbound/allowed-hosts.js';
import { guardedAgent } from '../outbound/guarded-agent.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { placeOfSecret } from '../sign-in-settings/issuers.js';
import { type Client, Clients, instanceId } from './clients.js';
import { issuerFetch } from './issuer-fetch.js';
import { createSeals, type Seals } from './seals.js';

/** The server's own client at the operator's issuer. */
interface InstanceClient {
  /** As in the tokens' `iss`. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client. */
  readonly clientSecret: string | null;
}

export interface OpenIdOptions {
  readonly database: Database;
  readonly tokens: SessionTokens;
  /** Of session tokens. */
  readonly jwtKeys: readonly Uint8Array[];
  readonly secrets: SecretBox;
  readonly logger: Logger;
  /** Issuers that organisations name may have private addresses at these hosts alone. */
  readonly allowedHosts: AllowedHosts;
  /** The address at which browsers know the server; without it nobody signs in by an issuer. */
  readonly publicUrl?: string | undefined;
  readonly instance?: InstanceClient | undefined;
  /** Milliseconds for which each answer of an issuer is awaited. By default 3,000. */
  readonly timeoutMs?: number | undefined;
}

/** What signing in by OpenID Connect works with. */
export interface OpenId {
  readonly system: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  readonly tokens: SessionTokens;
  readonly seals: Seals;
  readonly clients: Clients;
  readonly logger: Logger;
  readonly instance: Client | null;
  /** The client with an id; undefined where there is none (any more). */
  readonly clientWith: (id: string) => Promise<Client | undefined>;
  /** The binding of an organisation as a client, where it has its own. */
  readonly clientOf: (row: ClientRow) => Client | undefined;
  /** Whereto issuers send browsers back. Throws where nobody can sign in by an issuer. */
  readonly redirectUri: () => string;
  /** Whereto issuers send browsers that have signed out. */
  readonly signedOutUri: () => string;
  readonly isUsable: boolean;
}

interface ClientRow {
  readonly organisation_id: string;
  readonly id: string;
  readonly issuer: string;
  readonly client_id: string | null;
  readonly client_secret: string | null;
  readonly groups_claim: string | null;
}

/** The columns of a binding that its client is made of. */
export const clientColumns = [
  ...(['organisation_id', 'id', 'issuer', 'client_id', 'client_secret', 'groups_claim'] as const),
] as const;

export function createOpenId(options: OpenIdOptions): OpenId {
  const { database, secrets, allowedHosts, publicUrl, timeoutMs = 3_000, instance } = options;
  const system: OpenId['system'] = (work) => database.system(work, 'newcomers');
  const own: Client | null =
    instance === undefined ? null : { ...instance, id: instanceId, organisationId: null, wantsGroups: false };
  const page = (path: string) => {
    if (publicUrl === undefined)
      throw new ApiError('conflict', { reason: 'no_public_url', detail: reasons.no_public_url });
    return new URL(path, publicUrl).href;
  };
  const clientOf: OpenId['clientOf'] = ({ id, issuer, client_id: clientId, client_secret: sealed, ...row }) => {
    if (clientId === null) return undefined;
    const clientSecret = sealed === null ? null : secrets.open(sealed, placeOfSecret(id));
    const { organisation_id: organisationId, groups_claim } = row;
    return { id, issuer, clientId, clientSecret, organisationId, wantsGroups: groups_claim !== null };
  };
  return {
    ...{ system, tokens: options.tokens, logger: options.logger, instance: own, clientOf },
    seals: createSeals(options.jwtKeys),
    clients: new Clients({
      fetches: {
        instance: issuerFetch(new Agent({ connections: 16, keepAliveTimeout: 1_000 }), timeoutMs),
        organisation: issuerFetch(guardedAgent(allowedHosts, timeoutMs), timeoutMs),
      },
    }),
    isUsable: publicUrl !== undefined,
    redirectUri: () => page('/sign-in/callback'),
    signedOutUri: () => page('/sign-in'),
    async clientWith(id) {
      if (id === instanceId) return own === null ? undefined : { ...own, wantsGroups: await system(wantsGroups(own)) };
      const row = await system((tx) =>
        tx.selectFrom('issuers').select(clientColumns).where('id', '=', id).executeTakeFirst(),
      );
      return row && clientOf(row);
    },
  };
}

/** Whether any organisation gives roles by the groups of the server's own client. */
function wantsGroups({ issuer }: Client) {
  return async (tx: Transaction): Promise<boolean> => {
    const found = await tx
      .selectFrom('issuers')
      .select('id')
      .where('issuer', '=', issuer)
      .where('client_id', 'is', null)
      .where('groups_claim', 'is not', null)
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  };
}
