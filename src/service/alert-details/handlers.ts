import { alertHandlers } from '../alerts/handlers.js';
import type { Handlers } from '../api/handler.js';
import { getAlert } from './get-alert.js';
import { listHistory } from './list-history.js';

export const allAlertHandlers: Handlers['alerts'] = { ...alertHandlers, get: getAlert, listHistory };
