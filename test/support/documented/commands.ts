import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../build.js';

/** What a reader can paste into a shell: a block, or a command in a sentence. */
export interface DocumentedCommand {
  /** The first document that has it. */
  readonly page: string;
  readonly text: string;
  readonly isBlock: boolean;
}

/** What users read. CONTRIBUTING.md is for who changes Postern. */
export const pages: readonly string[] = [
  ...['README.md', 'SECURITY.md', 'deploy/README.md'],
  ...readdirSync(path.join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export const textOf = (page: string): string => readFileSync(path.join(root, page), 'utf8');

const shells = 'sh|bash|shell|console|zsh';
const programs =
  'brew|bunx?|caddy|claude|code|curl|docker|git|helm|kubectl|mcp-router|nginx|node|npm|npx|openssl|pip|pnpm|postern|psql|python3?|reach|sh|sudo|systemctl|trivy|wget|yarn';
/** A command in a sentence has an argument: a name alone is a mention. */
const span = new RegExp(`(?<!\`)\`((?:[A-Z_]+=\\S* )*(?:${programs}) [^\`]+)\`(?!\`)`, 'g');

/** Every command of a page, blocks first, each once. */
export function commandsIn(page: string, text: string): DocumentedCommand[] {
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`(?:${shells})\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  return [
    ...blocks.map(([, block = '']) => ({ page, text: block.trimEnd(), isBlock: true })),
    ...[...new Set([...prose.matchAll(span)].map(([, command = '']) => command))].map((command) => ({
      ...{ page, text: command.replaceAll('\n', ' '), isBlock: false },
    })),
  ];
}

/** Files of deploy/ explain themselves in comments: a command stands there at the end of a line, after a colon. */
const explained = ['deploy/Dockerfile', 'deploy/compose.yaml', 'deploy/kubernetes.yaml', 'deploy/postern.service'];

const commandsInComments = (page: string, text: string): DocumentedCommand[] =>
  [...text.matchAll(new RegExp(`^#.*: ((?:${programs}) .+)$`, 'gm'))].map(([, command = '']) => ({
    ...{ page, text: command, isBlock: false },
  }));

/** Every command of all pages. One in a sentence that is a line of a block, or was met before, is left out. */
export function documentedCommands(): DocumentedCommand[] {
  const all = [
    ...pages.flatMap((page) => commandsIn(page, textOf(page))),
    ...explained.flatMap((page) => commandsInComments(page, textOf(page))),
  ];
  const lines = new Set(all.filter(({ isBlock }) => isBlock).flatMap(({ text }) => text.split(/\n|&&/).map(bare)));
  const met = new Set<string>();
  return all.filter(({ text, isBlock }) => {
    if (isBlock) return true;
    const isNew = !lines.has(text) && !met.has(text);
    met.add(text);
    return isNew;
  });
}

/** A line without its comment. */
export const bare = (line: string): string => line.replace(/\s+#.*$/, '').trim();

export const firstLine = (text: string): string => text.split('\n')[0] ?? '';

/** The command of the documents that begins with this line. Throws where there is none. */
export function documented(first: string): string {
  const found = documentedCommands().find(({ text }) => firstLine(text) === first);
  if (found === undefined) throw new Error(`no document has: ${first}`);
  return found.text;
}
