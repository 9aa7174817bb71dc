import type { Connection, FieldDef, Submittable } from 'pg';
import utils from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import type { PreparedStatements } from './held-client.js';
import { typeParsers } from './type-parsers.js';

/** Codes of errors of a prepared statement that is not as it was: the same work succeeds at the next try. */
export const staleStatement = {
  /** invalid_sql_statement_name */
  noSuchName: '26000',
  /** duplicate_prepared_statement */
  nameTaken: '42P05',
  /** feature_not_supported: "cached plan must not change result type" */
  otherColumns: '0A000',
} as const;

const unnamed = { name: '', isKnown: false };

/**
 * Statements in one message to the server: one round trip. The server runs none after one that fails (PostgreSQL's documentation,
 * 55.2.3 and 55.2.4), so what begins a transaction or makes it a tenant's can go before the statements that need it. Without a
 * `begin` the message is a transaction of its own.
 */
export class Exchange implements Submittable {
  /** Settles when all that was asked has been told its end. */
  readonly ended: Promise<void>;
  readonly #asked: readonly StatementReader[];
  readonly #prepared: PreparedStatements | null;
  /** Texts that the server was given a name for. */
  readonly #fresh: string[] = [];
  #at = 0;
  #settle = () => {};

  constructor(asked: readonly StatementReader[], prepared: PreparedStatements | null) {
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#asked = asked;
    this.#prepared = prepared;
  }

  submit(connection: Connection): Error | null {
    try {
      const messages = (this.#prepared?.takeClosing() ?? []).map((name) => serialize.close({ type: 'S', name }));
      for (const { statement } of this.#asked) {
        const { name, isKnown } = this.#prepared?.prepare(statement.text) ?? unnamed;
        if (name !== '' && !isKnown) this.#fresh.push(statement.text);
        if (!isKnown) messages.push(serialize.parse({ name, text: statement.text }));
        const values = statement.values.map((value) => utils.prepareValue(value));
        messages.push(
          serialize.bind({ statement: name, values }),
          serialize.describe({ type: 'P' }),
          serialize.execute(),
        );
      }
      messages.push(serialize.sync());
      connection.stream.write(Buffer.concat(messages));
      return null;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#asked[this.#at]?.describe(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.#asked[this.#at]?.take(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#asked[this.#at]?.complete(text);
    this.#at += 1;
  }

  handleEmptyQuery(): void {
    this.#at += 1;
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(): void {}

  handleCopyData(): void {}

  /** Of the names that were new in a message that failed, it is not known which the server has. */
  handleError(error: Error): void {
    for (const text of this.#fresh) this.#prepared?.forget(text);
    const code = codeOfError(error);
    if (code === staleStatement.noSuchName || code === staleStatement.nameTaken) this.#prepared?.giveUp();
    if (code === staleStatement.otherColumns) this.#prepared?.forgetAll();
    this.#end(error);
  }

  handleReadyForQuery(): void {
    this.#end(null);
  }

  #end(error: Error | null): void {
    for (const asked of this.#asked) asked.end(error);
    this.#settle();
  }
}

/** A statement with its parameters ($1, $2, ...). */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface Answered<Row> {
  /** As `SELECT`. */
  readonly command: string;
  readonly rowCount: number;
  readonly rows: Row[];
}

/** A statement and what is heard of it. */
export interface StatementReader {
  readonly statement: Statement;
  describe(fields: readonly FieldDef[]): void;
  take(row: readonly (string | null)[]): void;
  /** @param text as `SELECT 3` or `INSERT 0 3` */
  complete(text: string): void;
  /** The server is done with the message that it was in. */
  end(error: Error | null): void;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** A statement whose answer is awaited. */
export class Query<Row> implements StatementReader {
  readonly statement: Statement;
  readonly answer: Promise<Answered<Row>>;
  #resolve: (answer: Answered<Row>) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #columns: readonly Column[] = [];
  /** A row with all columns: copies of it have one shape, which the engine reads fast. */
  #emptyRow = Object.create(Object.prototype);
  readonly #rows: Row[] = [];
  #complete = '';
  #unreadable: Error | null = null;

  constructor(statement: Statement) {
    this.statement = statement;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  describe(fields: readonly FieldDef[]): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: typeParsers.getTypeParser(dataTypeID, 'text'),
    }));
    for (const { name } of this.#columns) this.#emptyRow[name] = null;
  }

  take(values: readonly (string | null)[]): void {
    if (this.#unreadable !== null) return;
    try {
      const row = { ...this.#emptyRow };
      let at = 0;
      for (const { name, parse } of this.#columns) {
        const value = values[at] ?? null;
        if (value !== null) row[name] = parse(value);
        at += 1;
      }
      this.#rows.push(row);
    } catch (error) {
      this.#unreadable = error instanceof Error ? error : new Error(String(error));
    }
  }

  complete(text: string): void {
    this.#complete = text;
  }

  end(error: Error | null): void {
    const failure = error ?? this.#unreadable;
    if (failure !== null) this.#reject(failure);
    else {
      const [command = '', ...numbers] = this.#complete.split(' ');
      this.#resolve({ command, rowCount: Number(numbers.at(-1) ?? 0), rows: this.#rows });
    }
  }
}

/** A statement that only has to succeed. */
export function ignoring(statement: Statement): StatementReader {
  return { statement, describe() {}, take() {}, complete() {}, end() {} };
}
