import { api, client, pages, type RouterInputs, type RouterOutputs } from '../../api/client.js';
import { counted } from '../../components/format/format.js';

export type Webhook = RouterOutputs['webhooks']['list']['items'][number];
export type Kind = Webhook['kind'];
export type WebhookEvent = Webhook['events'][number];
export type Delivery = RouterOutputs['webhooks']['listDeliveries']['items'][number];
export type WebhookKey = Pick<RouterInputs['webhooks']['test'], 'project_id' | 'webhook_id'>;

export const kindWords: Readonly<Record<Kind, string>> = {
  slack: 'Slack',
  googlechat: 'Google Chat',
  teams: 'Microsoft Teams',
  discord: 'Discord',
  generic: 'Any address, signed',
};

/** What the address of each kind looks like. */
export const kindAddresses: Readonly<Record<Kind, string>> = {
  slack: 'https://hooks.slack.com/services/…',
  googlechat: 'https://chat.googleapis.com/v1/spaces/…',
  teams: 'https://….powerplatform.com/…',
  discord: 'https://discord.com/api/webhooks/…',
  generic: 'https://example.com/hooks/postern',
};

export const eventWords: Readonly<Record<WebhookEvent, string>> = {
  'alert.red': 'Red alerts',
  'alert.known_exploited': 'Known exploited',
  'verdict.band_raised': 'Raised verdicts',
  'scan.finished': 'Finished scans',
  'override.changed': 'Overrides',
};

export const eventMeanings: Readonly<Record<WebhookEvent, string>> = {
  'alert.red': 'An alert opens as red, or becomes so.',
  'alert.known_exploited': 'A vulnerability with an open alert is known to be exploited.',
  'verdict.band_raised': 'A verdict rises to a higher band. Comes with a plan that has verdicts.',
  'scan.finished': 'A report of code, of a running app or of an image was taken in.',
  'override.changed': 'Somebody overrides a verdict or clears an override.',
};

export const statusLooks = { queued: 'plain', retrying: 'warn', delivered: 'good', failed: 'danger' } as const;

export function webhookList(project_id: string) {
  return pages(api.webhooks.list, client.webhooks.list, { project_id });
}

/** The page's answer: who is notified, and whether that works. */
export function answerOf(webhooks: readonly Webhook[], total: number): string {
  if (total === 0) return 'This project has no webhook of its own.';
  const on = webhooks.filter(({ enabled }) => enabled);
  const failing = on.filter(({ last_delivery }) => last_delivery !== null && last_delivery.status !== 'delivered');
  const working =
    failing.length > 0
      ? `the last delivery to ${failing.map(({ name }) => name).join(', ')} did not arrive`
      : on.some(({ last_delivery }) => last_delivery !== null)
        ? 'all last deliveries arrived'
        : 'nothing has been sent yet';
  return `${counted(total, 'webhook')}, ${on.length} on; ${working}.`;
}
