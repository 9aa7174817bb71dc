import { messageOf } from '../message.js';
import { escapeEntities } from './escape-entities.js';
import type { Receiver } from './receiver.js';

/**
 * Google Chat. `text` has markup that cannot be escaped, so it holds only words of this program. A card's paragraphs are
 * HTML, which entities escape.
 */
export const googlechat: Receiver = {
  docs: 'https://developers.google.com/workspace/chat/quickstart/webhooks',
  body(notification) {
    const { headline, project, lines } = messageOf(notification);
    const paragraphs = [`Project: ${project}`, ...lines];
    const widgets = paragraphs.map((text) => ({ textParagraph: { text: escapeEntities(text) } }));
    return {
      text: headline,
      cardsV2: [{ cardId: 'notification', card: { header: { title: headline }, sections: [{ widgets }] } }],
    };
  },
};
