import type { FieldDef } from 'pg';
import { typeParsers } from './type-parsers.js';

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
