import * as z from 'zod';
import { type AnyProcedure, type Groups, isCallable, isComposite } from '../../src/procedures/define.js';
import { comment } from './documented.js';
import { indented, objectType } from './schema-type.js';
import { pascal, sharedNames } from './shared-names.js';

/** The types of all procedures, written out: their inputs and answers, each by a name of its own, and the router's record. */
export function procedureTypes(groups: Groups): string {
  const all = Object.entries(groups).flatMap(([group, members]) =>
    calls(members).map(([member, procedure]) => ({ group, member, procedure, name: typeName(group, member) })),
  );
  const shared = sharedNames(all.map(({ name, procedure }) => ({ name: `${name}Output`, output: procedure.output })));
  const nameOf = (schema: z.ZodObject) => shared.get(schema.def)?.name;
  const answer = (schema: z.ZodObject) => objectType(schema, 'output', nameOf);
  const types = [
    ...[...shared.values()].map(({ name, schema }) => alias(name, answer(schema))),
    ...all.flatMap(({ name, procedure }) => [
      alias(`${name}Input`, inputType(procedure)),
      ...(nameOf(procedure.output) === `${name}Output`
        ? []
        : [alias(`${name}Output`, nameOf(procedure.output) ?? answer(procedure.output))]),
    ]),
  ];
  return [...types, record(groups)].join('\n');
}

function calls(members: Groups[string]): [member: string, procedure: AnyProcedure][] {
  return Object.entries(members).filter(([, procedure]) => isCallable(procedure));
}

function typeName(group: string, member: string): string {
  return `${pascal(group)}${pascal(member)}`;
}

/** An alias, not an interface: only that can be given where a `Record` is asked for, as zod's types can. */
export function alias(name: string, type: string): string {
  return `export type ${name} = ${type};\n`;
}

function inputType({ input }: AnyProcedure): string {
  return objectType(input, 'input', () => undefined);
}

function record(groups: Groups): string {
  const lines = Object.entries(groups).map(([group, members]) => {
    const entries = calls(members).map(([member, procedure]) => entry(group, member, procedure));
    return `${group}: {\n${indented(entries.join('\n'))}\n};`;
  });
  return alias('RouterRecord', `{\n${indented(lines.join('\n'))}\n}`);
}

function entry(group: string, member: string, procedure: AnyProcedure): string {
  const { title, description, access, tool } = procedure;
  const name = typeName(group, member);
  const doors = [
    ...(tool === undefined ? [] : [`tool \`${tool}\``]),
    ...(isComposite(procedure) ? [] : [`\`${procedure.http}\``]),
  ];
  const kind = access === 'read' ? 'TRPCQueryProcedure' : 'TRPCMutationProcedure';
  const input = mayBeLeftOut(procedure) ? `${name}Input | void` : `${name}Input`;
  const doc = comment(`${title}. ${description}`, doors.join(', '));
  return `${doc}${member}: ${kind}<{ input: ${input}; output: ${name}Output; meta: unknown }>;`;
}

/** Where every field of an input is optional, the input itself is optional. */
function mayBeLeftOut({ input }: AnyProcedure): boolean {
  return Object.values(input.shape).every((field) => field instanceof z.ZodOptional || field instanceof z.ZodDefault);
}
