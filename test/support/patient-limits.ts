import { defaultLimits, type LimitSettings } from '../../src/shared/limits/limit-settings.js';

/** The limits, but on a loaded machine no call of a test is refused because others wait. */
export const patientLimits: LimitSettings = { ...defaultLimits, maxWaitMs: 200_000 };
