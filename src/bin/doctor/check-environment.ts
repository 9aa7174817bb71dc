import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Environment, EnvironmentError, environment, readEnvironment } from '../../env.js';
import { error, type Finding, ok, warning } from './finding.js';

/** Variables of Node and of OpenTelemetry may stand in `.env` too. */
const ofOthers = /^(?:NODE_|OTEL_|npm_)/;

/** The environment, null where it is not valid, and what was found in it. */
export function checkEnvironment(): { readonly settings: Environment | null; readonly findings: Finding[] } {
  const findings = unknownVariables('.env').map((name) =>
    warning('environment', `${name} in .env is no variable of Postern: is it spelt right? .env.example lists them`),
  );
  try {
    const settings = readEnvironment();
    const advice = adviceOn(settings);
    if (findings.length + advice.length === 0) findings.push(ok('environment', 'all variables are valid'));
    return { settings, findings: [...findings, ...advice] };
  } catch (failure) {
    if (!(failure instanceof EnvironmentError)) throw failure;
    const [first = '', ...wrong] = failure.message.split('\n').map((line) => line.trim());
    const messages = wrong.length === 0 ? [first] : wrong;
    return { settings: null, findings: [...findings, ...messages.map((message) => error('environment', message))] };
  }
}

function unknownVariables(file: string): string[] {
  let names: string[];
  try {
    names = Object.keys(parseEnv(readFileSync(file, 'utf8')));
  } catch {
    // That a file cannot be read is found with the environment.
    return [];
  }
  return names.filter((name) => !Object.hasOwn(environment.shape, name) && !ofOthers.test(name));
}

function adviceOn(settings: Environment): Finding[] {
  const { DATABASE_URL, SECRETS_KEY, SERVICE_API_URL, HOST, PUBLIC_URL } = settings;
  const advice: Finding[] = [];
  if (DATABASE_URL !== undefined && SECRETS_KEY === undefined && SERVICE_API_URL === undefined) {
    advice.push(
      warning('environment', 'SECRETS_KEY is not set: who reads the whole database of DATABASE_URL reads its keys too'),
    );
  }
  if (!['127.0.0.1', 'localhost', '::1'].includes(HOST) && PUBLIC_URL === undefined) {
    advice.push(
      warning(
        'environment',
        'HOST is not loopback and PUBLIC_URL is not set: callers from elsewhere are refused by their Host',
      ),
    );
  }
  return advice;
}
