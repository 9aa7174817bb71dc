import { SERVER_INFO_META_KEY, type Tool } from '@modelcontextprotocol/server';
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

/** The answer to a tool call. The text is the structured answer once more, as one string. */
export function callText(era: Era, id: string | number, outcome: ToolOutcome): Buffer {
  const result =
    'json' in outcome
      ? `${contentText([outcome.json])},"structuredContent":${outcome.json}`
      : `${contentText(outcome.errors)},"isError":true`;
  return Buffer.from(`{"result":{${result}${callEnd[era]}}${endText(id)}`);
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
