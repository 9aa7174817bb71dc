import type { Handlers } from '../api/handler.js';
import { pageAnswer } from '../http/page.js';

export const listProjects: Handlers['posture']['listProjects'] = async (_ctx, input) => pageAnswer(input, 0, []);
