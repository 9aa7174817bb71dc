import type { Ids, Operation } from '../support/operation.js';

/** Path of a project. */
export const p = '/api/projects/{project_id}';

export const none = () => ({});
export const project = ({ project }: Ids) => ({ project_id: project });

/** An input that names a project and one thing in it. */
export function within(name: string, id: Exclude<keyof Ids, 'project'>, more: Readonly<Record<string, unknown>> = {}) {
  return (ids: Ids) => ({ project_id: ids.project, [`${name}_id`]: ids[id], ...more });
}

/** A list that any caller may read, of one project or of all. */
export function everywhere(path: string, more: Readonly<Record<string, unknown>> = {}) {
  const list = { who: 'reader', everywhere: `GET /api/${path}`, input: inProject(more) } as const;
  return list satisfies Partial<Operation>;
}

/** An input that names a project. */
export function inProject(more: Readonly<Record<string, unknown>>) {
  return (ids: Ids) => ({ ...project(ids), ...more });
}
