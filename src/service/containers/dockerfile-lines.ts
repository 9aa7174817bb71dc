/** One instruction of a Dockerfile, its continuation lines joined. */
export interface Instruction {
  /** Of its first line, from 1. */
  readonly line: number;
  /** In capitals, as `FROM`. */
  readonly keyword: string;
  readonly rest: string;
}

/**
 * The instructions of a Dockerfile, in order. Comments, continuation lines, the `escape` directive and the bodies of
 * here-documents are read as the Dockerfile reference says (https://docs.docker.com/reference/dockerfile/).
 */
export function readInstructions(text: string): Instruction[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const escapeSign = escapeOf(lines);
  const instructions: Instruction[] = [];
  let begun: { line: number; parts: string[] } | null = null;
  let ends: string[] = [];
  for (const [index, line] of lines.entries()) {
    const [end] = ends;
    if (end !== undefined) {
      // `<<-` lets the end be indented by tabs.
      if (line === end || line.replace(/^\t+/, '') === end) ends = ends.slice(1);
      continue;
    }
    // A comment between continuation lines is no part of the instruction, and an empty line does not end it.
    if (/^\s*(?:#|$)/.test(line)) continue;
    begun ??= { line: index + 1, parts: [] };
    const trimmed = line.trimEnd();
    const continues = trimmed.endsWith(escapeSign);
    begun.parts.push(continues ? trimmed.slice(0, -1) : trimmed);
    if (continues) continue;
    const instruction = toInstruction(begun.line, begun.parts.join(' '));
    begun = null;
    instructions.push(instruction);
    ends = hereDocumentsOf(instruction);
  }
  if (begun !== null) instructions.push(toInstruction(begun.line, begun.parts.join(' ')));
  return instructions;
}

/** `# escape=…` counts only among the directives at the very top. */
function escapeOf(lines: readonly string[]): string {
  for (const line of lines) {
    const [, name = '', value = ''] = /^\s*#\s*([a-zA-Z]+)\s*=(.*)$/.exec(line) ?? [];
    if (name === '') break;
    const sign = value.trim();
    if (name.toLowerCase() === 'escape' && (sign === '`' || sign === '\\')) return sign;
  }
  return '\\';
}

function toInstruction(line: number, text: string): Instruction {
  const [, keyword = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  return { line, keyword: keyword.toUpperCase(), rest: rest.trim() };
}

/** The words that end the here-documents which an instruction begins. */
function hereDocumentsOf({ keyword, rest }: Instruction): string[] {
  if (!['RUN', 'COPY', 'ADD'].includes(keyword)) return [];
  return Array.from(rest.matchAll(/(?<!<)<<-?(["']?)([A-Za-z_]\w*)\1/g), ([, , word = '']) => word);
}
