import type { WebhookKind } from './webhooks.js';

/**
 * Hosts that webhooks of a kind have, over HTTPS only; `.example.com` means every name below it. Null: any public host.
 *
 * Teams: Workflows run on Power Platform, whose clouds (commercial, US GCC, GCC High, DoD, China) have hosts of their own, as do
 * the older Logic Apps addresses (https://learn.microsoft.com/power-automate/ip-address-configuration).
 */
export const webhookHosts = {
  slack: ['hooks.slack.com', 'hooks.slack-gov.com'],
  googlechat: ['chat.googleapis.com'],
  teams: [
    '.powerplatform.com',
    '.api.gov.powerplatform.microsoft.us',
    '.api.high.powerplatform.microsoft.us',
    '.api.appsplatform.us',
    '.api.powerplatform.partner.microsoftonline.cn',
    '.logic.azure.com',
    '.logic.azure.us',
    '.logic.azure.cn',
    '.webhook.office.com',
  ],
  discord: ['discord.com', '.discord.com', 'discordapp.com', '.discordapp.com'],
  generic: null,
} as const satisfies Record<WebhookKind, readonly string[] | null>;

/** The hosts of each kind in words, `*.example.com` for every name below it. */
export const hostsOfKinds = Object.entries(webhookHosts)
  .flatMap(([kind, hosts]) =>
    hosts === null ? [] : [`${kind} takes ${hosts.map((host) => host.replace(/^\./, '*.')).join(', ')}`],
  )
  .join('; ');
