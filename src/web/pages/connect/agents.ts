import { ourPackage } from '../../components/copy/our-package.js';
import type { AgentId } from './agent-ids.js';

/** How programs that speak MCP are told of this server. */

export interface Configuration {
  readonly where: string;
  readonly text: string;
  readonly note?: string;
}

interface Server {
  /** This server: `https://postern.example.com`. */
  readonly origin: string;
  /** Null until the reader has one. */
  readonly key: string | null;
}

const placeholder = '<API key>';

const json = (value: unknown) => JSON.stringify(value, null, 2);

const overHttp = ({ origin, key }: Server) => ({
  type: 'http',
  url: `${origin}/mcp`,
  headers: { Authorization: `Bearer ${key ?? placeholder}` },
});

const overStdio = ({ origin, key }: Server) => ({
  command: 'npx',
  args: [...ourPackage(origin), 'mcp-router'],
  env: { SERVICE_API_KEY: key ?? placeholder, SERVICE_API_URL: origin },
});

const needsPackage =
  'It needs Node 20.19. The program mcp-router comes from this server, and its dependencies from the npm registry.';

export const agents = {
  'claude-code': {
    name: 'Claude Code',
    configure: ({ origin, key }) => ({
      where: 'Run this in a terminal, in the folder of your project.',
      text: `claude mcp add --transport http postern ${origin}/mcp --header "Authorization: Bearer ${key ?? '$POSTERN_KEY'}"`,
      note:
        key === null
          ? 'Set POSTERN_KEY to your key before. Then /mcp in Claude Code shows postern as connected.'
          : 'Then /mcp in Claude Code shows postern as connected.',
    }),
  },
  'claude-desktop': {
    name: 'Claude Desktop',
    configure: (server) => ({
      where:
        'Settings, Developer, Edit Config: add this to claude_desktop_config.json, then start Claude Desktop again.',
      text: json({ mcpServers: { postern: overStdio(server) } }),
      note: `This file starts local programs only, so mcp-router stands in between. ${needsPackage}`,
    }),
  },
  vscode: {
    name: 'VS Code',
    configure: ({ origin }) => ({
      where: 'Put this into .vscode/mcp.json of your project.',
      text: json({
        servers: {
          // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in.
          postern: { type: 'http', url: `${origin}/mcp`, headers: { Authorization: 'Bearer ${input:key}' } },
        },
        inputs: [{ id: 'key', type: 'promptString', description: 'Postern API key', password: true }],
      }),
      note: 'VS Code asks for the key when the server starts, and keeps it: the file has no secret and can be committed.',
    }),
  },
  cursor: {
    name: 'Cursor',
    configure: (server) => ({
      where: 'Put this into .cursor/mcp.json of your project, or into ~/.cursor/mcp.json for all of them.',
      text: json({ mcpServers: { postern: overHttp(server) } }),
      note: 'The file holds the key: keep it out of version control.',
    }),
  },
  stdio: {
    name: 'Others, by stdio',
    configure: (server) => ({
      where: 'For a program without HTTP, in the form that most of them read.',
      text: json({ mcpServers: { postern: overStdio(server) } }),
      note: needsPackage,
    }),
  },
} as const satisfies Readonly<
  Record<AgentId, { readonly name: string; readonly configure: (server: Server) => Configuration }>
>;

/** A whole key. Nothing else goes into a command that is made to be copied. */
export function isKey(text: string): boolean {
  return /^postern_live_[0-9a-f]{64}$/.test(text);
}
