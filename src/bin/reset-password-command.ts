import { Command } from 'commander';
import type * as z from 'zod';
import { noRequest } from '../service/audit/record-audit.js';
import { passwordReset } from '../service/operator/answers.js';
import { askService } from '../service/operator/ask-service.js';
import { type Account, resetPasswordOf } from '../service/operator/reset-password.js';
import { failureText, inDatabaseOrService, type OperatorSettings } from './database-or-service.js';

/** `postern reset-password EMAIL`. Settings are read when it runs. */
export function resetPasswordCommand(settings: () => OperatorSettings): Command {
  return new Command('reset-password')
    .description('issue a token by which a member, an admin too, sets a new password within an hour')
    .argument('<email>', 'the e-mail address that the member signs in with')
    .option('--organisation <id>', 'needed where the address has accounts in several organisations')
    .action(async (entered: string, { organisation: organisation_id }: { organisation?: string }) => {
      try {
        const email = entered.trim().toLowerCase();
        process.stdout.write(textOf(await issue(settings(), { email, organisation_id })));
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const failure = failureText(error);
        const reason = failure === 'not_found' ? 'nobody signs in with this address' : failure;
        process.stderr.write(`postern reset-password: ${reason}\n`);
        process.exitCode = 1;
      }
    });
}

function issue(settings: OperatorSettings, account: Account) {
  return inDatabaseOrService(settings, {
    inDatabase: (database) => resetPasswordOf(database, account, noRequest),
    viaService: (service) => askService(service, { path: '/password-resets', body: account, answer: passwordReset }),
  });
}

function textOf({ email, token, expires_at }: z.output<typeof passwordReset>): string {
  return [
    `A new password for ${email} can be set once, until ${expires_at.toISOString()}, with this token:`,
    `  ${token}`,
    'as by POST /api/session/password-reset with {"token": "…", "password": "…"}. All sessions of the member end then.',
    '',
  ].join('\n');
}
