import { findAlert } from '../alerts/find-alert.js';
import type { Handlers } from '../api/handler.js';
import { pageAnswer } from '../http/page.js';

export const listHistory: Handlers['alerts']['listHistory'] = async (ctx, input) => {
  const { first_seen_at } = await findAlert(ctx, input);
  return { ...pageAnswer(input, 0, []), known_since: first_seen_at, complete: false };
};
