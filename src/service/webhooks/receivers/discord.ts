import { messageOf } from '../message.js';
import type { Receiver } from './receiver.js';

const colors = { alarm: 0xd92d20, notice: 0x475467 };

/** Discord. No text may mention anybody. */
export const discord: Receiver = {
  docs: 'https://discord.com/developers/docs/resources/webhook#execute-webhook',
  body(notification) {
    const { headline, project, lines, tone, timestamp } = messageOf(notification);
    return {
      content: headline,
      embeds: [
        {
          title: escapeMarkdown(project).slice(0, 256),
          description: fittingLines(lines.map(escapeMarkdown), 4_096).join('\n'),
          color: colors[tone],
          timestamp,
        },
      ],
      allowed_mentions: { parse: [] },
    };
  },
};

/** A backslash before each character that could begin Markdown, a mention, an emoji or a link. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|>#\-[\](){}<@:!+./]/g, '\\$&');
}

/** The lines that together have at most `maxLength` characters. */
function fittingLines(lines: readonly string[], maxLength: number): string[] {
  let length = 0;
  return lines.filter((line) => {
    length += line.length + 1;
    return length <= maxLength;
  });
}
