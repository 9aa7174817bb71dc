import type { TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type * as z from 'zod';
import type { Composite, Groups, LinesProcedure, Procedure } from '../../procedures/define.js';
import type { Procedures } from '../../procedures/index.js';

// The router's record as the definitions have it. A frontend gets the same types written out (scripts/client-types).

/** An input, with a `Date` as well as a text wherever the answer of a schema has one. */
type WithDates<Input, Output> = Output extends Date
  ? Input | Date
  : Input extends readonly (infer In)[]
    ? Output extends readonly (infer Out)[]
      ? WithDates<In, Out>[]
      : Input
    : Input extends object
      ? { [Key in keyof Input]: Key extends keyof Output ? WithDates<Input[Key], Output[Key]> : Input[Key] }
      : Input;

type DoorInput<Input extends z.ZodType> = WithDates<z.input<Input>, z.output<Input>>;

/** Where every field of an input is optional, the input itself is optional. */
type ClientInput<Input extends z.ZodType> =
  // biome-ignore lint/complexity/noBannedTypes: `{}` asks whether every field is optional.
  // biome-ignore lint/suspicious/noConfusingVoidType: only `void` makes the argument one that may be left out.
  {} extends DoorInput<Input> ? DoorInput<Input> | void : DoorInput<Input>;

interface Types<Input extends z.ZodType, Output extends z.ZodType> {
  input: ClientInput<Input>;
  output: z.output<Output>;
  meta: unknown;
}

type ToTrpcProcedure<P> =
  P extends Procedure<infer A, infer Input, infer Output>
    ? A extends 'read'
      ? TRPCQueryProcedure<Types<Input, Output>>
      : TRPCMutationProcedure<Types<Input, Output>>
    : P extends Composite<infer Input, infer Output>
      ? TRPCQueryProcedure<Types<Input, Output>>
      : never;

/** The shared definitions as tRPC's router record: the same keys, so "go to definition" lands on the definition. */
type ToRecord<G extends Groups> = {
  [Group in keyof G]: {
    [Member in keyof G[Group] as G[Group][Member] extends LinesProcedure ? never : Member]: ToTrpcProcedure<
      G[Group][Member]
    >;
  };
};

export type RouterRecord = ToRecord<Procedures>;
