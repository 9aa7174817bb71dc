import { SERVER_INFO_META_KEY, type Tool } from '@modelcontextprotocol/server';
import { madeOnce } from '../answers/made-once.js';
import type { ToolOutcome } from './call-tool.js';
import { serverInfo } from './server.js';
import type { Era } from './short-request.js';

// JSON-RPC answers as the SDK writes them, byte by byte: keys in its order, and what it adds to a result of 2026-07-28.

const meta = `,"_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: serverInfo })}`;

/** Ends the result of a call. */
const callEnd: Record<Era, string> = { legacy: '', modern: `,"resultType":"complete"${meta}` };

/** Ends a list of tools: the SDK lets nobody cache it. */
const listEnd: Record<Era, string> = {
  legacy: '',
  modern: `,"resultType":"complete","ttlMs":0,"cacheScope":"private"${meta}`,
};

const once = madeOnce<Record<string, unknown>, Buffer>();

/** The answer to a tool call, in parts. The text is the structured answer once more, as one string. */
export function callParts(era: Era, id: string | number, outcome: ToolOutcome): readonly Buffer[] {
  const start =
    'json' in outcome
      ? once(outcome.answer, () => callStart(`${contentText([outcome.json])},"structuredContent":${outcome.json}`))
      : callStart(`${contentText(outcome.errors)},"isError":true`);
  return [start, Buffer.from(`${callEnd[era]}}${endText(id)}`)];
}

function callStart(result: string): Buffer {
  return Buffer.from(`{"result":{${result}`);
}

/** All of the answer to tools/list but its end, which has the request's id. */
export function listStart(era: Era, tools: readonly Tool[]): Buffer {
  return Buffer.from(`{"result":{"tools":${JSON.stringify(tools)}${listEnd[era]}}`);
}

export function endText(id: string | number): string {
  return `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

function contentText(texts: readonly string[]): string {
  return `"content":[${texts.map((text) => `{"type":"text","text":${JSON.stringify(text)}}`).join(',')}]`;
}
