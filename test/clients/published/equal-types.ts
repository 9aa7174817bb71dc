// The types that frontends get are those that the project infers from its definitions: `npm run check` compiles this file.

import type * as published from '../../../node_modules/.cache/postern-client-types/client.js';
import type * as inferred from '../../../src/client/index.js';

/** The strictest comparison there is: optional is not `undefined`, and `unknown` is not `any`. */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The procedures that differ, as `alerts.list`. */
type Differing<A, B> = {
  [Group in keyof A | keyof B]: Group extends keyof A & keyof B
    ? {
        [Member in keyof A[Group] | keyof B[Group]]: Member extends keyof A[Group] & keyof B[Group]
          ? Equal<A[Group][Member], B[Group][Member]> extends true
            ? never
            : `${Group & string}.${Member & string}`
          : `${Group & string}.${Member & string}`;
      }[keyof A[Group] | keyof B[Group]]
    : Group;
}[keyof A | keyof B];

/** Takes nothing but `never`: the error of another type argument names the procedures. */
type None<T extends never> = T;
type True<T extends true> = T;

export type Inputs = None<Differing<published.RouterInputs, inferred.RouterInputs>>;
export type Outputs = None<Differing<published.RouterOutputs, inferred.RouterOutputs>>;

/** A query of the one is a query of the other. */
type Kinds<Router extends { readonly _def: { readonly record: object } }> = {
  [Group in keyof Router['_def']['record']]: {
    [Member in keyof Router['_def']['record'][Group]]: Router['_def']['record'][Group][Member] extends {
      readonly _def: { readonly type: infer Type };
    }
      ? Type
      : never;
  };
};
export type KindsOfProcedures = None<Differing<Kinds<published.AppRouter>, Kinds<inferred.AppRouter>>>;

export type Errors = [
  True<Equal<published.PosternError['data'], inferred.PosternError['data']>>,
  True<Equal<published.PosternError['shape'], inferred.PosternError['shape']>>,
];

export type Files = [
  True<Equal<published.UploadPath, inferred.UploadPath>>,
  True<Equal<published.UploadInput<published.UploadPath>, inferred.UploadInput<inferred.UploadPath>>>,
  True<Equal<published.Uploaded<published.UploadPath>, inferred.Uploaded<inferred.UploadPath>>>,
  True<Equal<published.DocumentPath, inferred.DocumentPath>>,
  True<Equal<published.DocumentInput<published.DocumentPath>, inferred.DocumentInput<inferred.DocumentPath>>>,
];

/** Each function, and nothing more. */
export type Functions = True<Equal<keyof typeof published, keyof typeof inferred>>;

// What comes from the one goes to the other.
declare const client: published.PosternClient;
export const asInferred: inferred.PosternClient = client;
