import { Command } from 'commander';
import { checkDatabase } from './doctor/check-database.js';
import { checkEnvironment } from './doctor/check-environment.js';
import { checkDataFolder, checkDisk, checkVersions } from './doctor/check-machine.js';
import { checkPort } from './doctor/check-port.js';
import { checkRedis } from './doctor/check-redis.js';
import { checkService } from './doctor/check-service.js';
import type { Finding } from './doctor/finding.js';

/** `postern doctor [--json]`. Exit code 1 where it has found an error; a warning is none. It changes nothing. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'look for what keeps Postern from running well: settings, ports, database, feeds, Redis, disk, versions',
    )
    .option('--json', 'as JSON: {"healthy": true, "findings": [{"check", "level", "message"}]}')
    .action(async ({ json = false }: { json?: boolean }) => {
      const findings = await examine();
      const healthy = findings.every(({ level }) => level !== 'error');
      process.stdout.write(json ? `${JSON.stringify({ healthy, findings }, null, 2)}\n` : textOf(findings));
      if (!healthy) process.exitCode = 1;
    });
}

async function examine(): Promise<Finding[]> {
  const { settings, findings } = checkEnvironment();
  const found = [checkVersions(), ...findings];
  if (settings === null) return found;
  found.push(await checkPort(settings));
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, OPERATOR_KEY: operatorKey, SERVICE_API_URL } = settings;
  if (settings.REDIS_URL !== undefined) found.push(await checkRedis(settings.REDIS_URL));
  if (SERVICE_API_URL !== undefined) return [...found, await checkService(SERVICE_API_URL)];
  found.push(...(await checkDataFolder(dataDir)), await checkDisk(dataDir));
  return [...found, ...(await checkDatabase({ dataDir, databaseUrl, operatorKey }))];
}

function textOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .map(({ check, level, message }) => `${level.padEnd(8)} ${check.padEnd(width)}  ${message}\n`)
    .join('');
}
