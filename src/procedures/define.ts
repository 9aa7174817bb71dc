import type * as z from 'zod';

/** What a call may do. Query or mutation, the tool's hints and the API key scope it needs all follow from it. */
export type Access = 'read' | 'write' | 'destructive';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Http = `${Method} /api/${string}`;

/** The names in braces of a path: `'/a/{x}/{y}'` gives `'x' | 'y'`. */
type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameters<Rest>
  : never;

/**
 * One procedure of the API, the only place where it is described. The tRPC router, the MCP tool list, the gateway's
 * requests and the service's routes are all made from it.
 *
 * Schemas describe the wire form (JSON, snake_case, RFC 3339) and decode it to code's form (`Date`).
 */
export interface Procedure<
  A extends Access = Access,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Public extends boolean = boolean,
  MaxBytes extends number | undefined = number | undefined,
  Transactions extends 'own' | undefined = 'own' | undefined,
> {
  /** MCP tool name; absent where the specification lists no such tool. */
  readonly tool?: string;
  /** True of a tool that goes beyond the specification's list: it is listed only where the client asks for more toolsets. */
  readonly beyond?: boolean;
  readonly access: A;
  /** True of a `write` that has no further effect when it is repeated. What reads or deletes needs no word. */
  readonly idempotent?: boolean;
  /** True of what reaches systems that are neither the caller's nor ours, as a webhook's receiver. */
  readonly openWorld?: boolean;
  /** Method and path. `{names}` are keys of the input; the other keys go to the query (GET, DELETE) or the JSON body. */
  readonly http: Http;
  /**
   * The path for an input without the `project_id` that the path in `http` needs, as `GET /api/alerts`: of a list over all projects, or
   * of what belongs to a group of projects.
   */
  readonly everywhere?: Http;
  /**
   * Of a list that agents read: the fields of a row that tell whether it matters, as `package.name`. A tool shows these alone, and
   * all where it is called with `view: full`. tRPC and REST always answer all.
   */
  readonly summary?: readonly string[];
  /** True of what programs ask by themselves again and again, and which shows no data: reads of keys leave no entry in the audit log. */
  readonly unaudited?: true;
  /** A document in the answer: a tool shows it whole, or, where it would be too large for an agent, null. */
  readonly document?: string;
  /** True of what answers a file of lines, each an `output` in JSON: it is sent while it is read, and no call carries it. */
  readonly lines?: true;
  /** The input key whose value is the whole JSON body (an upload). The other keys then go to the query. */
  readonly body?: string;
  /** Further media types of an upload, besides JSON. Its body is then text, as a JSON string would be. */
  readonly mediaTypes?: readonly string[];
  /** Bytes of the largest body. Absent: 1 MiB. Where set, the handler reads the body before its transaction begins. */
  readonly maxBytes?: MaxBytes;
  /**
   * The handler opens its transactions itself: it does something long between them, which none waits for, or something beyond the
   * caller's organisation. Absent: it runs in one, and each of its writes is undone where it throws.
   */
  readonly transactions?: Transactions;
  /** The answer holds a secret (`shownOnce`). It is never kept, so that no repeated request shows it again. */
  readonly answersSecret?: true;
  /** True of a call by which a caller obtains a credential, and which therefore has none. */
  readonly public: Public;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
}

/** Marks the type of a field that holds a secret. */
interface ShownOnce {
  readonly isShownOnce: true;
}

const mark: ShownOnce = { isShownOnce: true };

/** A field of an answer that holds a secret. A procedure that answers one does not compile without `answersSecret`. */
export function shownOnce<Schema extends z.ZodType>(schema: Schema): Schema & ShownOnce {
  return Object.assign(schema, mark);
}

/** What writes and answers a secret declares so: only the answers of writes are kept. */
type SecretDeclared<Output extends z.ZodObject> =
  Extract<Output['shape'][keyof Output['shape']], ShownOnce> extends never
    ? { readonly answersSecret?: never }
    : { readonly answersSecret: true };

/** A path parameter that the input lacks is a type error. */
type Definition<
  A extends Access,
  H extends Http,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  MaxBytes extends number | undefined = undefined,
  Transactions extends 'own' | undefined = undefined,
> = Omit<Procedure<A, Input, Output, boolean, MaxBytes, Transactions>, 'http' | 'body' | 'public' | 'answersSecret'> & {
  readonly http: [PathParameters<H>] extends [keyof Input['shape']]
    ? H
    : H & { readonly 'missing in the input': PathParameters<H> };
  readonly body?: keyof Input['shape'] & string;
};

/** A procedure that only reads, for callers with a credential. */
export function defineQuery<
  const H extends `GET /api/${string}`,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  Transactions extends 'own' | undefined = undefined,
>(
  definition: Omit<Definition<'read', H, Input, Output, undefined, Transactions>, 'access'>,
): Procedure<'read', Input, Output, false, undefined, Transactions> {
  return { ...definition, access: 'read', public: false };
}

/** A procedure whose answer is a file of lines, for callers with a credential. */
export type LinesProcedure<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> = Procedure<'read', Input, Output, false, undefined, undefined> & { readonly lines: true };

export function defineLines<
  const H extends `GET /api/${string}`,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
>(definition: Omit<Definition<'read', H, Input, Output>, 'access' | 'lines' | 'tool'>): LinesProcedure<Input, Output> {
  return { ...definition, access: 'read', public: false, lines: true };
}

/** A procedure for callers with a credential that changes something. */
export function defineProcedure<
  const A extends Access,
  const H extends Http,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  MaxBytes extends number | undefined = undefined,
  Transactions extends 'own' | undefined = undefined,
>(
  definition: Definition<A, H, Input, Output, MaxBytes, Transactions> & SecretDeclared<Output>,
): Procedure<A, Input, Output, false, MaxBytes, Transactions> {
  return { ...definition, public: false };
}

/** A procedure that needs no credential: signing in, accepting an invite. */
export function definePublicProcedure<
  const A extends Access,
  const H extends Http,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
>(
  definition: Definition<A, H, Input, Output> & SecretDeclared<Output>,
): Procedure<A, Input, Output, true, undefined, undefined> {
  return { ...definition, public: true };
}

/** A tool without a request of its own: the gateway asks several procedures and makes one small answer of theirs. */
export interface Composite<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Tool extends string = string,
> {
  readonly tool: Tool;
  readonly access: 'read';
  readonly public: false;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
}

/** A composite. Every part that it asks for is of a fixed size, and so is its answer. */
export function defineComposite<Input extends z.ZodObject, Output extends z.ZodObject, const Tool extends string>(
  definition: Omit<Composite<Input, Output, Tool>, 'access' | 'public'>,
): Composite<Input, Output, Tool> {
  return { ...definition, access: 'read', public: false };
}

export type AnyProcedure = Procedure | Composite;

export function isComposite(procedure: AnyProcedure): procedure is Composite {
  return !('http' in procedure);
}

/** Whether calls carry what it answers; a file of lines is sent as a document alone. */
export function isCallable(procedure: AnyProcedure): boolean {
  return isComposite(procedure) || procedure.lines !== true;
}

/** Procedures by group and member: `alerts.list` is the tRPC path. */
export type Groups = Readonly<Record<string, Readonly<Record<string, AnyProcedure>>>>;
