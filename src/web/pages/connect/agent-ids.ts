/** Agents with a configuration of their own, in the order of their tabs. */
export const agentIds = ['claude-code', 'claude-desktop', 'vscode', 'cursor', 'stdio'] as const;

export type AgentId = (typeof agentIds)[number];
