import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSdkWay } from '../../../src/gateway/mcp/sdk-way.js';
import { signedCaller } from '../../../src/shared/http/forwarded-caller.js';
import { type AuthorizationServer, startAuthorizationServer } from '../../support/authorization-server.js';
import { createTestGateway, type StartedGateway, startGateway, type TestGateway } from '../../support/gateway.js';
import { takePeople } from '../../support/known-people.js';
import { startService, type TestOrganisation, type TestService } from '../../support/service.js';
import { portOf } from '../../support/upstream.js';
import type { Received, Sent } from './both-ways.js';
import { post } from './both-ways.js';

/** A service that takes tokens of an authorization server, and its gateway, at the address that the tokens name. */
export interface OAuthDoor {
  readonly server: AuthorizationServer;
  readonly service: TestService;
  /** In the service's process, as an embedded one. */
  readonly gateway: TestGateway & { readonly url: string };
  /** A process of its own, and the SDK's way alone. */
  readonly apart: StartedGateway;
  /** The address of /mcp. */
  readonly resource: string;
  /** Takes people of the authorization server. */
  readonly organisation: TestOrganisation;
  /** A token of the server for a member here. */
  readonly tokenOf: (member: { readonly email: string }, change?: Readonly<Record<string, unknown>>) => Promise<string>;
  /** Sends a request through both gateways, which answer the same status. */
  readonly send: (credential: string | null, sent: Sent) => Promise<Received>;
  readonly close: () => Promise<void>;
}

export async function startOAuthDoor(): Promise<OAuthDoor> {
  const server = await startAuthorizationServer();
  const front = createServer();
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const url = `http://127.0.0.1:${portOf(front.address())}`;
  const resource = `${url}/mcp`;
  const gatewaySecret = randomBytes(32).toString('hex');
  const issuer = { url: server.issuer, audiences: { mcp: resource, api: `${url}/api` } };
  const service = await startService({ issuer, gatewaySecret });
  const oauth = { issuer: server.issuer, resource };
  const options = { serviceUrl: service.url, oauth, callerHeaders: signedCaller(gatewaySecret) };
  const gateway = createTestGateway({ ...options, inProcess: service.inProcess });
  front.on('request', gateway.app);
  const apart = await startGateway({ ...options, mcpWays: [createSdkWay] });
  const organisation = await service.newOrganisation();
  await takePeople(service, organisation, server);

  return {
    ...{ server, service, apart, resource, organisation },
    gateway: { ...gateway, url },
    tokenOf: ({ email }, change = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const person = { sub: `subject of ${email}`, email, email_verified: true };
      return server.sign({ iss: server.issuer, aud: resource, iat: now, exp: now + 300, ...person, ...change });
    },
    async send(credential, { headers, ...sent }) {
      const authorization = credential === null ? undefined : `Bearer ${credential}`;
      const request = { ...sent, headers: { ...headers, authorization } };
      const [first, second] = [await post({ url }, request), await post(apart, request)];
      if (first.status !== second.status)
        throw new Error(`${first.status} ${first.text}, ${second.status} ${second.text}`);
      return first;
    },
    async close() {
      front.closeAllConnections();
      front.close();
      await gateway.close();
      await apart.close();
      await service.close();
      await server.close();
    },
  };
}
