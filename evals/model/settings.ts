import * as z from 'zod';
import { anthropic } from './anthropic.js';
import type { Converse, Endpoint } from './model.js';
import { openai } from './openai.js';

const settings = z.object({
  EVALS_MODEL: z.string().min(1).optional(),
  EVALS_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  ANTHROPIC_API_KEY: z.string().min(1).optional(),
  OPENAI_API_KEY: z.string().min(1).optional(),
});

/** The model that the environment names; null where it names none. Throws where it names one and says not how to reach it. */
export function modelOf(env: NodeJS.ProcessEnv): { readonly converse: Converse; readonly endpoint: Endpoint } | null {
  const { EVALS_MODEL: model, EVALS_BASE_URL, ANTHROPIC_API_KEY, OPENAI_API_KEY } = settings.parse(env);
  if (model === undefined) return null;
  const endpoint = (key: string, standard: string) => ({
    ...{ key, model },
    baseUrl: (EVALS_BASE_URL ?? standard).replace(/\/$/, ''),
  });
  if (ANTHROPIC_API_KEY !== undefined)
    return { converse: anthropic, endpoint: endpoint(ANTHROPIC_API_KEY, 'https://api.anthropic.com') };
  if (OPENAI_API_KEY !== undefined)
    return { converse: openai, endpoint: endpoint(OPENAI_API_KEY, 'https://api.openai.com/v1') };
  throw new Error('EVALS_MODEL names a model: set ANTHROPIC_API_KEY or OPENAI_API_KEY too.');
}
