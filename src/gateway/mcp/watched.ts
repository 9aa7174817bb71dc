import { segmentsOf } from './resources.js';

/** A resource changes when the revision of its subject does. */
export type Watched =
  | { readonly kind: 'posture' }
  | { readonly kind: 'project'; readonly id: string }
  | { readonly kind: 'alert'; readonly id: string };

const id = /^[\w-]{1,64}$/;

/** Answers the subject whose change changes a resource; null for a resource that cannot be waited for. */
export function watchedOf(uri: string): Watched | null {
  const [kind, ...rest] = segmentsOf(uri) ?? [];
  const [project = '', domain, alert = '', ...more] = rest;
  if (kind === 'posture' || kind === 'coverage') {
    if (rest.length === 0) return { kind: 'posture' };
    return rest.length === 1 && id.test(project) ? { kind: 'project', id: project } : null;
  }
  const isAlert = kind === 'findings' && domain === 'dependencies' && more.length === 0;
  return isAlert && id.test(project) && id.test(alert) ? { kind: 'alert', id: alert } : null;
}
