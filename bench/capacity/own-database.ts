import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A database of a server of its own, which nothing else uses. */
export interface OwnDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database beside the one that the URL names; its role needs the right to. */
export async function createOwnDatabase(besideUrl: string): Promise<OwnDatabase> {
  const name = `postern_bench_${randomBytes(6).toString('hex')}`;
  await run(besideUrl, `create database ${name}`);
  const url = new URL(besideUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(besideUrl, `drop database ${name} with (force)`) };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
