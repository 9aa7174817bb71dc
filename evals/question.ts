import type * as z from 'zod';

/** Calls a tool and reads what a walk needs of its answer. */
export type CallTool = <Shape extends z.ZodType>(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  shape: Shape,
) => Promise<z.output<Shape>>;

/** One question that a person asks an agent, about the sample organisation of a first start. */
export interface Question {
  readonly name: string;
  /** As a person asks it. */
  readonly asked: string;
  /** A tool and the argument of it that the walk needs. A server whose tool has none is not asked. */
  readonly requires?: readonly [tool: string, argument: string];
  /** What a right answer says, each fact in any of its usual spellings. */
  readonly facts: readonly RegExp[];
  /** What only a wrong answer says. */
  readonly never?: readonly RegExp[];
  /** The shortest path: what an agent that knows the tools calls, and the answer that it gives. */
  readonly walk: (call: CallTool) => Promise<string>;
}

interface Listed {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Whether the tools of a server take what the question needs. */
export function isAnswerable({ requires }: Question, tools: readonly Listed[]): boolean {
  if (requires === undefined) return true;
  const [tool, argument] = requires;
  return tools.some(({ name, inputSchema }) => name === tool && argument in Object(inputSchema['properties']));
}

/** What is wrong with an answer: the facts that it lacks, and what it should not say. Empty: it is right. */
export function faultsOf({ facts, never = [] }: Question, answer: string): string[] {
  return [
    ...facts.filter((fact) => !fact.test(answer)).map((fact) => `does not say ${fact.source}`),
    ...never.filter((wrong) => wrong.test(answer)).map((wrong) => `says ${wrong.source}`),
  ];
}
