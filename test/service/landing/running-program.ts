import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { emptyFolder, type RunningPostern, startPosternProgram } from '../../bin/running-postern.js';
import { textAt } from '../../support/at.js';
import { kind, newDatabaseUrl, newDataDir } from '../../support/database.js';
import { callerOf } from '../../support/service.js';

/** A database of its own, for the real program. */
export interface ProgramSetting {
  readonly DATA_DIR: string;
  /** Absent where the database is embedded. */
  readonly DATABASE_URL?: string;
}

export async function newProgramSetting(): Promise<ProgramSetting> {
  return kind === 'embedded'
    ? { DATA_DIR: await newDataDir() }
    : { DATA_DIR: await emptyFolder(), DATABASE_URL: await newDatabaseUrl() };
}

/** The program, and a member's session or another caller's credential to ask it. */
export interface AskedProgram {
  readonly program: RunningPostern;
  readonly url: string;
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => ReturnType<ReturnType<typeof callerOf>>;
}

/** Starts it; the first time with a first organisation, whose admin's session is then kept for the next time. */
export async function startAsked(
  setting: ProgramSetting,
  session?: string,
): Promise<AskedProgram & { readonly session: string }> {
  const program = startPosternProgram({ ...setting, POSTERN_SAMPLE: 'false' });
  const url = await program.ready();
  const ask = callerOf(url);
  const own = session ?? (await signIn(ask, setting));
  return { program, url, session: own, call: (...args) => ask(own, ...args) };
}

async function signIn(ask: ReturnType<typeof callerOf>, { DATA_DIR }: ProgramSetting): Promise<string> {
  const { admin } = JSON.parse(await readFile(path.join(DATA_DIR, 'first-run.json'), 'utf8'));
  const { status, body } = await ask(null, 'POST', '/api/session', admin);
  expect(status, JSON.stringify(body)).toBe(200);
  return textAt(body, 'token');
}
