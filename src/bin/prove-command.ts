import { Command } from 'commander';
import { noRequest } from '../service/audit/record-audit.js';
import { ownedAddress, ownedDomain } from '../service/operator/answers.js';
import { askService } from '../service/operator/ask-service.js';
import {
  type OwnedAddress,
  type OwnedDomain,
  proveAddressOf,
  proveDomainOf,
  readOwned,
} from '../service/operator/prove.js';
import { failureText, inDatabaseOrService, type OperatorSettings } from './database-or-service.js';

/** `postern prove ORGANISATION_ID DOMAIN|ADDRESS`. Settings are read when it runs. */
export function proveCommand(settings: () => OperatorSettings): Command {
  return new Command('prove')
    .description('say that an e-mail domain is an organisation’s, or an address its member’s')
    .argument('<organisation id>', 'as GET /api/operator/organisations lists it')
    .argument('<domain or address>', 'such as acme.example or ada@acme.example')
    .action(async (organisation_id: string, entered: string) => {
      try {
        process.stdout.write(`${await prove(settings(), organisation_id, entered.trim())}\n`);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        const failure = failureText(error);
        const reason = failure === 'not_found' ? 'there is no such organisation, or no such member in it' : failure;
        process.stderr.write(`postern prove: ${reason}\n`);
        process.exitCode = 1;
      }
    });
}

async function prove(settings: OperatorSettings, organisation_id: string, entered: string): Promise<string> {
  const owned = readOwned(entered);
  if (owned === null) throw new Error(`${entered} is neither a domain such as acme.example nor an e-mail address`);
  return 'domain' in owned
    ? proveDomain(settings, { organisation_id, ...owned })
    : proveAddress(settings, { organisation_id, ...owned });
}

async function proveDomain(settings: OperatorSettings, owned: OwnedDomain): Promise<string> {
  const { domain, organisation_id, taken_from } = await inDatabaseOrService(settings, {
    inDatabase: (database) => proveDomainOf(database, owned, noRequest),
    viaService: (service) => askService(service, { path: '/domains', body: owned, answer: ownedDomain }),
  });
  const before = taken_from === null ? '' : ` It was ${taken_from}’s.`;
  return `${domain} is a domain of ${organisation_id} from now on.${before}`;
}

async function proveAddress(settings: OperatorSettings, owned: OwnedAddress): Promise<string> {
  const { email, organisation_id, member_id } = await inDatabaseOrService(settings, {
    inDatabase: (database) => proveAddressOf(database, owned, noRequest),
    viaService: (service) => askService(service, { path: '/addresses', body: owned, answer: ownedAddress }),
  });
  return `${email} is the address of ${member_id} in ${organisation_id} from now on: whom an issuer of the organisation says to have it is this member.`;
}
