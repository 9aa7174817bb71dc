import { expect, test } from 'vitest';
import { teams } from '../../../../src/service/webhooks/receivers/teams.js';
import { at, textAt } from '../../../support/at.js';
import { hostile, hostileNotification } from '../notifications.js';
import { testAddresses } from './test-addresses.js';

testAddresses('teams', {
  accepted: [
    'https://contoso.webhook.office.com/webhookb2/x',
    'https://prod-23.westeurope.logic.azure.com/workflows/x?sig=y',
    'https://default0a.1b.environment.api.powerplatform.com/powerautomate/x',
  ],
  rejected: ['https://evillogic.azure.com/'],
});

test('texts from outside are text runs, which have no Markdown', () => {
  const body = teams.body(hostileNotification(hostile));
  expect(textAt(body, 'attachments.0.contentType')).toBe('application/vnd.microsoft.card.adaptive');
  const blocks = at(body, 'attachments.0.content.body');
  if (!Array.isArray(blocks)) throw new Error('no body');
  const withMarkdown = blocks.filter((block) => at(block, 'type') === 'TextBlock');
  expect(withMarkdown.map((block) => at(block, 'text'))).toEqual(['5000 RED alerts']);
  expect(JSON.stringify(body).length).toBeLessThan(28_000);
});
