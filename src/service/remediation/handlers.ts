import type { Handlers } from '../api/handler.js';
import { getPlan } from './get-plan.js';

export const remediationHandlers: Handlers['remediation'] = { plan: getPlan };
