import { alertHandlers } from './alerts/handlers.js';
import type { Handlers } from './api/handler.js';
import { apiKeyHandlers } from './api-keys/handlers.js';
import type { SessionTokens } from './auth/session-token.js';
import { containerHandlers } from './containers/handlers.js';
import { dastHandlers } from './dast/handlers.js';
import { intelligenceHandlers } from './intelligence/handlers.js';
import { organisationHandlers } from './organisations/handlers.js';
import { postureHandlers } from './posture/handlers.js';
import { projectHandlers } from './projects/handlers.js';
import { reachabilityHandlers } from './reachability/handlers.js';
import { sastHandlers } from './sast/handlers.js';
import { sessionHandlers } from './sessions/handlers.js';
import { techStackHandlers } from './tech-stack/handlers.js';
import type { AllowedHosts } from './webhooks/allowed-hosts.js';
import { webhookHandlers } from './webhooks/handlers.js';

/** One handler for every procedure. */
export function createHandlers(tokens: SessionTokens, webhookHosts: AllowedHosts): Handlers {
  return {
    organisation: organisationHandlers,
    projects: projectHandlers,
    alerts: alertHandlers,
    sast: sastHandlers,
    dast: dastHandlers,
    reachability: reachabilityHandlers,
    containers: containerHandlers,
    techStack: techStackHandlers,
    webhooks: webhookHandlers(webhookHosts),
    intelligence: intelligenceHandlers,
    posture: postureHandlers,
    session: sessionHandlers(tokens),
    apiKeys: apiKeyHandlers,
  };
}
