import type { Handlers } from '../api/handler.js';
import { windowStart } from './window.js';

export const getTrend: Handlers['posture']['getTrend'] = async ({ now }, { window_days }) => {
  const none = { known_since: null, days: [] };
  const domains = { dependencies: none, code: none, running_app: none, containers: none };
  return { since: windowStart(now, window_days), window_days, all: none, domains };
};
