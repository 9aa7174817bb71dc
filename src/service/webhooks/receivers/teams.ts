import { messageOf } from '../message.js';
import type { Receiver } from './receiver.js';

/**
 * Teams Workflows ("When a Teams webhook request is received"): a message with an Adaptive Card. Texts from outside are text
 * runs, which have no Markdown; a text block has it (https://adaptivecards.io/explorer/TextRun.html).
 */
export const teams: Receiver = {
  docs: 'https://learn.microsoft.com/en-us/connectors/teams/',
  body(notification) {
    const { headline, project, lines } = messageOf(notification);
    const run = (text: string) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] });
    return {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: headline, size: 'Large', weight: 'Bolder', wrap: true },
              run(`Project: ${project}`),
              ...lines.map(run),
            ],
          },
        },
      ],
    };
  },
};
