import type { WebhookKind } from '../../../procedures/webhooks.js';
import { discord } from './discord.js';
import { generic } from './generic.js';
import { googlechat } from './googlechat.js';
import type { Receiver } from './receiver.js';
import { slack } from './slack.js';
import { teams } from './teams.js';

export const receivers = { slack, googlechat, teams, discord, generic } satisfies Record<WebhookKind, Receiver>;
