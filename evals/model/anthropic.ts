import * as z from 'zod';
import { type Converse, post } from './model.js';

const block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) }),
]);

const answer = z.object({ content: z.array(z.unknown()) });

/** The Messages API. */
export const anthropic: Converse = ({ baseUrl, key, model }, system, tools) => {
  const messages: { role: 'user' | 'assistant'; content: unknown }[] = [];
  const declared = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  const next = async (content: unknown) => {
    messages.push({ role: 'user', content });
    const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
    const body = { model, max_tokens: 2_000, system, tools: declared, messages };
    const given = await post(`${baseUrl}/v1/messages`, headers, body, answer);
    messages.push({ role: 'assistant', content: given.content });
    // Kinds of blocks that are not known here, as thinking, go back as they came.
    const known = given.content.flatMap((each) => block.safeParse(each).data ?? []);
    return {
      text: known.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n'),
      requests: known.flatMap((each) =>
        each.type === 'tool_use' ? [{ id: each.id, tool: each.name, input: each.input }] : [],
      ),
    };
  };
  return {
    begin: (task) => next(task),
    goOn: (results) =>
      next(
        results.map(({ id, text, isError }) => ({
          ...{ type: 'tool_result', tool_use_id: id, content: text, is_error: isError },
        })),
      ),
  };
};
