import { allAlertHandlers } from './alert-details/handlers.js';
import type { Handlers } from './api/handler.js';
import { apiKeyHandlers } from './api-keys/handlers.js';
import type { IssuerTokens } from './auth/issuer-tokens.js';
import type { SessionTokens } from './auth/session-token.js';
import { containerHandlers } from './containers/handlers.js';
import { dastHandlers } from './dast/handlers.js';
import { checkPackage } from './intelligence/check-package.js';
import { findExposed } from './intelligence/find-exposed.js';
import { getFeeds } from './intelligence/get-feeds.js';
import { getPackageHealth } from './intelligence/get-package-health.js';
import { search } from './intelligence/search/handler.js';
import { finishLink, openIdHandlers } from './openid/handlers.js';
import type { OpenId } from './openid/openid.js';
import { organisationHandlers } from './organisations/handlers.js';
import type { AllowedHosts } from './outbound/allowed-hosts.js';
import { postureHandlers } from './posture/handlers.js';
import { listProjects } from './posture/list-projects.js';
import { postureReceipt } from './posture/receipt.js';
import { groupHandlers } from './projects/group-handlers.js';
import { projectHandlers } from './projects/handlers.js';
import { updateProject } from './projects/update-project.js';
import { reachabilityHandlers } from './reachability/handlers.js';
import { recomputeVerdicts } from './reachability/recompute.js';
import { receiptHandlers } from './receipts/handlers.js';
import type { ReceiptSigner } from './receipts/signer.js';
import type { RegistryLookup } from './registries/registry-lookup.js';
import { remediationHandlers } from './remediation/handlers.js';
import { sastHandlers } from './sast/handlers.js';
import { exportOpenVex, exportSbom, getSbomDocument } from './sbom/handlers.js';
import type { SecretBox } from './secrets/secret-box.js';
import { sessionHandlers } from './sessions/handlers.js';
import { sessionsOfAll } from './sessions/list-sessions.js';
import { domainHandlers, type ResolveTxt } from './sign-in-settings/email-domains.js';
import { identityHandlers } from './sign-in-settings/identities.js';
import { issuerHandlers } from './sign-in-settings/issuers.js';
import { getPasswordPolicy, setPasswordPolicy } from './sign-in-settings/password-policy.js';
import { techStackHandlers } from './tech-stack/handlers.js';
import { uploadHandlers } from './uploads/handlers.js';
import { vexHandlers } from './vex/handlers.js';
import { webhookHandlers } from './webhooks/handlers.js';

interface Equipment {
  readonly tokens: SessionTokens;
  readonly secrets: SecretBox;
  readonly receipts: ReceiptSigner;
  /** Receivers that may be private addresses. */
  readonly webhookHosts: AllowedHosts;
  readonly registries: RegistryLookup | null;
  /** When the feeds are next synced; null where nothing does it. */
  readonly nextSync: () => Date | null;
  /** Of the OAuth issuer, where there is one. */
  readonly issuerTokens: IssuerTokens | null;
  /** Issuers whose client is this server's own. */
  readonly ownIssuers: readonly string[];
  readonly resolveTxt: ResolveTxt;
  /** Links go out by mail; else their tokens are answered. */
  readonly canMail: boolean;
  readonly openId: OpenId;
}

/** The handlers of all procedures. */
export function createHandlers(equipment: Equipment): Handlers {
  const { tokens, secrets, receipts, webhookHosts, registries, nextSync, issuerTokens, ownIssuers, resolveTxt } =
    equipment;
  const { canMail, openId } = equipment;
  return {
    organisation: { ...organisationHandlers(canMail), ...sessionsOfAll },
    projects: {
      ...projectHandlers,
      list: listProjects,
      update: updateProject(recomputeVerdicts),
    },
    groups: groupHandlers,
    alerts: allAlertHandlers,
    sast: sastHandlers,
    dast: dastHandlers,
    reachability: reachabilityHandlers,
    containers: containerHandlers,
    techStack: techStackHandlers,
    webhooks: webhookHandlers(webhookHosts, secrets),
    intelligence: {
      checkPackage: checkPackage(registries, receipts),
      findExposed: findExposed(receipts),
      getPackageHealth,
      exportSbom,
      getSbomDocument,
      exportOpenVex,
      search,
      getFeeds: getFeeds(nextSync),
    },
    posture: { ...postureHandlers, getReceipt: postureReceipt(receipts) },
    remediation: remediationHandlers,
    receipts: receiptHandlers,
    vex: vexHandlers,
    uploads: uploadHandlers,
    session: { ...sessionHandlers(tokens, canMail), ...openIdHandlers(openId) },
    signIn: {
      ...issuerHandlers(secrets, ownIssuers),
      ...domainHandlers(resolveTxt),
      ...identityHandlers(issuerTokens),
      finishLink: finishLink(openId),
      ...{ getPasswordPolicy, setPasswordPolicy },
    },
    apiKeys: apiKeyHandlers,
  };
}
