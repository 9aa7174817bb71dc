import type { Notification, WebhookKind } from '../events/domain-event.js';
import { type Message, messageOf } from './message.js';

/** The JSON body that a kind of receiver takes for a notification. */
export function bodyFor(kind: WebhookKind, notification: Notification): Readonly<Record<string, unknown>> {
  switch (kind) {
    case 'slack':
      return slack(messageOf(notification));
    case 'googlechat':
      return googleChat(messageOf(notification));
    case 'teams':
      return teams(messageOf(notification));
    case 'discord':
      return discord(messageOf(notification));
    case 'generic': {
      const { type, timestamp, data } = notification;
      return { type, timestamp, data };
    }
  }
}

/**
 * Slack incoming webhook (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks): plain-text blocks know
 * no markup. `&`, `<` and `>` are escaped everywhere, without which `<!channel>` would call everybody.
 */
function slack({ headline, project, lines }: Message) {
  const plain = (text: string) => ({ type: 'plain_text', text: entities(text), emoji: false });
  return {
    text: entities(`${headline}: ${project}`),
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
}

/**
 * Google Chat (https://developers.google.com/workspace/chat/quickstart/webhooks): `text` has markup without an escape, so
 * it holds our own words alone; a card's paragraphs are HTML, whose entities are the escape.
 */
function googleChat({ headline, project, lines }: Message) {
  const paragraphs = [`Project: ${project}`, ...lines].map((text) => ({ textParagraph: { text: entities(text) } }));
  return {
    text: headline,
    cardsV2: [{ cardId: 'notification', card: { header: { title: headline }, sections: [{ widgets: paragraphs }] } }],
  };
}

/**
 * Teams (Workflows, "When a Teams webhook request is received"): an Adaptive Card as attachment of a message. A text run
 * knows no Markdown, other than a text block (https://adaptivecards.io/explorer/TextRun.html).
 */
function teams({ headline, project, lines }: Message) {
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
}

const discordColours = { alarm: 0xd92d20, notice: 0x475467 };

/** Discord (https://discord.com/developers/docs/resources/webhook#execute-webhook): nobody may be mentioned by any text. */
function discord({ headline, project, lines, tone, timestamp }: Message) {
  return {
    content: headline,
    embeds: [
      {
        title: markdown(project).slice(0, 256),
        description: cut(lines.map(markdown), 4_096).join('\n'),
        color: discordColours[tone],
        timestamp,
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

function entities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A backslash takes the meaning off any sign that could be Markdown, a mention, an emoji or a link. */
function markdown(text: string): string {
  return text.replace(/[\\*_~`|>#\-[\](){}<@:!+./]/g, '\\$&');
}

/** As many lines as fit into so many characters. */
function cut(lines: readonly string[], longest: number): string[] {
  let length = 0;
  return lines.filter((line) => {
    length += line.length + 1;
    return length <= longest;
  });
}
