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
    'https://prod-03.usgovtexas.logic.azure.us:443/workflows/x?sig=y',
    'https://default0a.b.environment.api.gov.powerplatform.microsoft.us:443/powerautomate/x',
    'https://default0a.b.environment.api.high.powerplatform.microsoft.us/powerautomate/x',
    'https://default0a.b.environment.api.appsplatform.us/powerautomate/x',
    'https://default0a.b.environment.api.powerplatform.partner.microsoftonline.cn/powerautomate/x',
    'https://prod-03.chinaeast2.logic.azure.cn/workflows/x',
  ],
  rejected: [
    'https://evillogic.azure.com/',
    'https://logic.azure.us/',
    'https://api.powerplatform.com.evil.example/',
    'https://x.microsoft.us/',
    'https://x.partner.microsoftonline.cn/',
  ],
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
