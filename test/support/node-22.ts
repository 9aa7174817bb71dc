import { otherNode } from './other-node.js';

/** A Node of 22.19 or newer, which programs of others need: the running one, or another. */
export async function node22(): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  return otherNode('22.23.3');
}
