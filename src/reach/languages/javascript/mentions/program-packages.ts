import { rowsOf } from '../../../knowledge/knowledge.js';

const programs = new Map(Object.entries(rowsOf('javascript/programs')));

/** The packages that may provide a program: the known ones, and those whose name follows from the program's name. */
export function packagesOfProgram(program: string): readonly string[] {
  return [...(programs.get(program) ?? []), program, `@${program}/cli`, `${program}-cli`, `@${program}/${program}`];
}
