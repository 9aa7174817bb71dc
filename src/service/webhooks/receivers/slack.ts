import { messageOf } from '../message.js';
import { escapeEntities } from './escape-entities.js';
import type { Receiver } from './receiver.js';

/**
 * Slack incoming webhook. Plain-text blocks have no markup, and `&`, `<` and `>` are escaped everywhere: otherwise
 * `<!channel>` would notify everybody.
 */
export const slack: Receiver = {
  docs: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  body(notification) {
    const { headline, project, lines } = messageOf(notification);
    const plain = (text: string) => ({ type: 'plain_text', text: escapeEntities(text), emoji: false });
    return {
      text: escapeEntities(`${headline}: ${project}`),
      mrkdwn: false,
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
      blocks: [
        { type: 'header', text: plain(headline) },
        { type: 'context', elements: [plain(`Project: ${project}`)] },
        ...lines.map((line) => ({ type: 'section', text: plain(line) })),
      ],
    };
  },
};
