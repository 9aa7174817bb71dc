import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { toolsOf } from './knowledge.js';
import type { ToolUse } from './knowledge-file.js';

const tools = toolsOf('development-tools');
const patterns = new Map<string, RegExp>();

/** Whether a package is a development tool, by its name, in one of the uses that the file of tools explains. */
export function isTool(ecosystem: Ecosystem, packageName: string, use: ToolUse): boolean {
  const key = `${ecosystem} ${use}`;
  const pattern = patterns.get(key) ?? patternOf(ecosystem, use);
  patterns.set(key, pattern);
  return pattern.test(packageName);
}

/** PyPI's names are the same in upper and lower case. */
function patternOf(ecosystem: Ecosystem, use: ToolUse): RegExp {
  const names = Object.entries(tools[ecosystem] ?? {}).flatMap(([name, uses]) => (uses.includes(use) ? [name] : []));
  return names.length === 0 ? /(?!)/ : new RegExp(`^(?:${names.join('|')})$`, ecosystem === 'PyPI' ? 'i' : '');
}
