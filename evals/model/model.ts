import type * as z from 'zod';
import type { VisibleTool } from '../tools.js';

export interface ToolRequest {
  readonly id: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a model says in one turn. Without requests its text is the answer. */
interface Turn {
  readonly text: string;
  readonly requests: readonly ToolRequest[];
}

export interface ToolResult {
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
}

/** A conversation with a model that has the tools. */
interface Conversation {
  readonly begin: (task: string) => Promise<Turn>;
  readonly goOn: (results: readonly ToolResult[]) => Promise<Turn>;
}

/** Where a model is asked. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
}

/** Opens a conversation. `system` is what an application would tell its agent beside the task. */
export type Converse = (endpoint: Endpoint, system: string, tools: readonly VisibleTool[]) => Conversation;

const limitMs = 120_000;

/** Posts JSON and reads the answer. The error of a refusal has its status and text, never the key. */
export async function post<Shape extends z.ZodType>(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object,
  shape: Shape,
): Promise<z.output<Shape>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(limitMs),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the model's API answered ${answer.status}: ${text.slice(0, 500)}`);
  return shape.parse(JSON.parse(text));
}
