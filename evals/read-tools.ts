import { procedures } from '../src/procedures/index.js';

/** The tools that only read. */
export const readTools: ReadonlySet<string> = new Set(
  Object.values(procedures).flatMap((members) =>
    Object.values(members).flatMap((each) =>
      each.access === 'read' && 'tool' in each && each.tool !== undefined ? [each.tool] : [],
    ),
  ),
);
