import type { Context } from '../api/handler.js';
import type { Scope } from '../db/scope.js';
import { requireAsked } from '../projects/find-project.js';
import { listScope } from '../projects/list-scope.js';

/** Does the work in the scope that a call asks for; 404 where its project or group does not exist. */
export async function inScopeOf<T>(
  ctx: Context,
  asked: Parameters<typeof listScope>[1],
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const [done] = await Promise.all([work(await listScope(ctx, asked)), requireAsked(ctx, asked.project_id)]);
  return done;
}

const dayMs = 24 * 60 * 60 * 1000;

/** When the day (UTC) began that is `days` days before today. */
export function windowStart(now: Date, days: number): Date {
  return new Date(Math.floor(now.getTime() / dayMs) * dayMs - days * dayMs);
}

/** The days (UTC, YYYY-MM-DD) from the window's start to tomorrow, because the clocks of two services may differ. */
export function daysOf(start: Date, now: Date): string[] {
  const days: string[] = [];
  for (let at = start.getTime(); at <= now.getTime() + dayMs; at += dayMs) days.push(dayOf(new Date(at)));
  return days;
}

/** A moment's day (UTC), YYYY-MM-DD. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
