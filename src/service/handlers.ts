import { alertHandlers } from './alerts/handlers.js';
import { apiKeyHandlers } from './api-keys/handlers.js';
import type { SessionTokens } from './auth/session-token.js';
import type { Handlers } from './http/handler.js';
import { intelligenceHandlers } from './intelligence/handlers.js';
import { organisationHandlers } from './organisations/handlers.js';
import { projectHandlers } from './projects/handlers.js';
import { reachabilityHandlers } from './reachability/handlers.js';
import { sessionHandlers } from './sessions/handlers.js';
import { techStackHandlers } from './tech-stack/handlers.js';

/** One handler for every procedure. */
export function createHandlers(tokens: SessionTokens): Handlers {
  return {
    organisation: organisationHandlers,
    projects: projectHandlers,
    alerts: alertHandlers,
    reachability: reachabilityHandlers,
    techStack: techStackHandlers,
    intelligence: intelligenceHandlers,
    session: sessionHandlers(tokens),
    apiKeys: apiKeyHandlers,
  };
}
