import * as z from 'zod';
import type { AskPart } from '../../src/gateway/composites/composer.js';
import { composerOf } from '../../src/gateway/composites/composers.js';
import { type AnyProcedure, isComposite, type Procedure } from '../../src/procedures/define.js';
import { sampleInputOf, sampleOf } from './sample.js';

const askSample: AskPart = async (part) => ({ answered: true, answer: decode(part) });

function decode<P extends Procedure>({ output }: P): z.output<P['output']> {
  return z.parse<P['output']>(output, sampleOf(output));
}

/** What a procedure answers, in wire form, before a service that answers samples. */
export async function sampleAnswerOf(procedure: AnyProcedure): Promise<unknown> {
  if (!isComposite(procedure)) return sampleOf(procedure.output);
  const input = procedure.input.parse(sampleInputOf(procedure.input));
  return z.encode(procedure.output, await composerOf(procedure)({ input, ask: askSample }));
}
