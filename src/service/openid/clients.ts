import { createHash } from 'node:crypto';
import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as keysFetch } from 'jose';
import {
  allowInsecureRequests,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client';
import { type Kept, keep } from '../../shared/kept.js';
import { IssuerUnreachable } from '../auth/issuer-keys.js';

/** The id of the server's own client in place of a binding's. */
export const instanceId = 'instance';

/** Which client a sign-in goes through. */
export interface Client {
  /** `instanceId`, or the id of the organisation's binding. */
  readonly id: string;
  /** As in the tokens' `iss`. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client. */
  readonly clientSecret: string | null;
  /** Whose client it is; null: the server's own. Sign-ins through an organisation's client count in that organisation alone. */
  readonly organisationId: string | null;
  /** Whether groups give roles. */
  readonly wantsGroups: boolean;
}

/** An issuer's metadata are asked for again after so long. */
const keptMs = 5 * 60_000;

/** After a failure an issuer is not asked again for so long: meanwhile nobody waits for it. */
const restMs = 5_000;

/** A client with what its issuer says of itself. */
interface KnownClient {
  readonly config: Configuration;
  /** By which the issuer signs. */
  readonly keys: JWTVerifyGetKey;
}

interface Options {
  /** Of the operator's issuer, and of those that organisations name. */
  readonly fetches: Readonly<Record<'instance' | 'organisation', CustomFetch>>;
}

/** Clients with the metadata and keys of their issuers, as kept for five minutes. */
export class Clients {
  readonly #fetches: Options['fetches'];
  readonly #kept: Kept<{ readonly made: Promise<KnownClient>; untilMs: number }> = keep('issuerClients');

  constructor({ fetches }: Options) {
    this.#fetches = fetches;
  }

  /** Throws `IssuerUnreachable`. */
  async of(client: Client): Promise<KnownClient> {
    const key = keyOf(client);
    const known = this.#kept.get(key);
    if (known !== undefined && Date.now() < known.untilMs) return known.made;
    const made = this.#discover(client);
    const entry = { made, untilMs: Date.now() + keptMs };
    this.#kept.set(key, entry);
    made.catch(() => {
      entry.untilMs = Date.now() + restMs;
    });
    return made;
  }

  async #discover({ issuer, clientId, clientSecret, organisationId }: Client): Promise<KnownClient> {
    const fetch = this.#fetches[organisationId === null ? 'instance' : 'organisation'];
    const isClear = new URL(issuer).protocol === 'http:';
    const execute = isClear ? [allowInsecureRequests] : [];
    try {
      const found = await discovery(new URL(issuer), clientId, undefined, None(), { [customFetch]: fetch, execute });
      const metadata = found.serverMetadata();
      // Exactly: the library takes the templates of two vendors, by which a token of any tenant would count.
      if (metadata.issuer !== issuer) throw new IssuerUnreachable();
      const config = new Configuration(metadata, clientId, undefined, authentication(metadata, clientSecret));
      config[customFetch] = fetch;
      if (isClear) allowInsecureRequests(config);
      // Else a token would be taken unsigned, for it came from the issuer's own address.
      enableNonRepudiationChecks(config);
      // Throws for what is no web page: an address such as javascript: would run in ours.
      buildAuthorizationUrl(config, {});
      return { config, keys: keysOf(metadata, fetch) };
    } catch {
      throw new IssuerUnreachable();
    }
  }
}

function keysOf({ jwks_uri }: Readonly<ServerMetadata>, fetch: CustomFetch): JWTVerifyGetKey {
  if (jwks_uri === undefined) throw new IssuerUnreachable();
  return createRemoteJWKSet(new URL(jwks_uri), {
    cacheMaxAge: keptMs,
    [keysFetch]: (url) =>
      fetch(url, { method: 'GET', headers: { accept: 'application/json' }, body: null, redirect: 'manual' }),
  });
}

/** As the issuer says; where it says nothing, HTTP Basic (OpenID Connect Discovery 1.0, 3). */
function authentication(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: Readonly<ServerMetadata>,
  secret: string | null,
) {
  if (secret === null) return None();
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

function keyOf({ issuer, clientId, clientSecret, organisationId }: Client): string {
  const parts = [issuer, clientId, clientSecret, organisationId];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
