import type { Tools } from '../tools.js';
import type { Converse, Endpoint, ToolRequest, ToolResult } from './model.js';

/** Nothing of how to use the tools: their descriptions must do. */
const system =
  'You answer questions about the vulnerability posture of an organisation. Use the tools. Answer in a few sentences, with the exact names, versions and places that you found.';

/** Turns after which an agent has lost its way. */
const maxTurns = 12;

/** Lets a model answer one task with the tools. Null: it was still calling tools after all its turns. */
export async function askModel(
  converse: Converse,
  endpoint: Endpoint,
  tools: Tools,
  task: string,
): Promise<string | null> {
  const conversation = converse(endpoint, system, tools.visible);
  let turn = await conversation.begin(task);
  for (let turns = 1; turns < maxTurns && turn.requests.length > 0; turns += 1) {
    const results: ToolResult[] = [];
    for (const request of turn.requests) results.push({ id: request.id, ...(await answerOf(tools, request)) });
    turn = await conversation.goOn(results);
  }
  return turn.requests.length > 0 ? null : turn.text;
}

/** A tool that does not exist is refused by the protocol: the model is told so, and may try again. */
async function answerOf(tools: Tools, { tool, input }: ToolRequest): Promise<Omit<ToolResult, 'id'>> {
  try {
    return await tools.call(tool, input);
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  }
}
