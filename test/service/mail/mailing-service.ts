import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import type { Database } from '../../../src/service/db/database.js';
import { openDatabase } from '../../../src/service/db/open.js';
import { createMailer, type MailServer } from '../../../src/service/mail/mailer.js';
import { mailsFrom } from '../../../src/service/mail/write-mail.js';
import { deliveriesJob } from '../../../src/service/webhooks/deliveries.js';
import { kind, newDatabaseUrl, newDataDir } from '../../support/database.js';
import { testSecrets } from '../../support/secrets.js';
import { startJob } from '../../support/start-job.js';

export const publicUrl = 'https://posture.example.com';

/** Not the shared database: who sends claims whatever is due in it. */
export async function newMailDatabase(): Promise<Database> {
  return openDatabase(kind === 'embedded' ? { dataDir: await newDataDir() } : { databaseUrl: await newDatabaseUrl() });
}

type Options = Partial<Parameters<typeof deliveriesJob>[0]>;

/** An instance that sends, until the test is over, and logs nothing. Null: it has no mail server. */
export function startSending(database: Database, server: Omit<MailServer, 'from'> | null, options: Options = {}) {
  const lines: string[] = [];
  const mail =
    server && mailsFrom(database, createMailer({ from: 'Postern <postern@example.com>', ...server }), publicUrl);
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const job = deliveriesJob({
    ...{ database, secrets: testSecrets, allowedHosts: new Set(), intervalMs: 20, logger },
    mail: mail ?? undefined,
    ...options,
  });
  const { stop } = startJob(database, job, logger);
  let stopped: Promise<void> | undefined;
  const stopOnce = () => {
    stopped ??= stop();
    return stopped;
  };
  onTestFinished(async () => {
    await stopOnce();
    expect(lines).toEqual([]);
  });
  return stopOnce;
}

/** Brings the next attempts of mails forward, as hours of waiting would. */
export function makeMailsDue(database: Database, organisationId: string) {
  return database.system((tx) =>
    tx
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: new Date() })
      .where('organisation_id', '=', organisationId)
      .where('next_attempt_at', 'is not', null)
      .execute(),
  );
}

/** The token of the link in a mail. */
export function tokenIn(text: string): string {
  const [, token = ''] = /#token=([\w-]+)$/m.exec(text) ?? [];
  return token;
}
