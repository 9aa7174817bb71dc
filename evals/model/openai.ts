import * as z from 'zod';
import { type Converse, post } from './model.js';

const toolCall = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });

const message = z.looseObject({ content: z.string().nullish(), tool_calls: z.array(toolCall).nullish() });

const answer = z.object({ choices: z.array(z.object({ message })).min(1) });

const input = z.record(z.string(), z.unknown());

/** The Chat Completions API, which many servers of models have. */
export const openai: Converse = ({ baseUrl, key, model }, system, tools) => {
  const messages: object[] = [{ role: 'system', content: system }];
  const declared = tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
  const next = async (...more: readonly object[]) => {
    messages.push(...more);
    const headers = { authorization: `Bearer ${key}` };
    const { choices } = await post(
      `${baseUrl}/chat/completions`,
      headers,
      { model, tools: declared, messages },
      answer,
    );
    const said = choices[0]?.message ?? {};
    messages.push({ role: 'assistant', ...said });
    return {
      text: said.content ?? '',
      requests: (said.tool_calls ?? []).map((each) => ({
        ...{ id: each.id, tool: each.function.name },
        input: input.parse(JSON.parse(each.function.arguments || '{}')),
      })),
    };
  };
  return {
    begin: (task) => next({ role: 'user', content: task }),
    goOn: (results) => next(...results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text }))),
  };
};
