import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import * as z from 'zod';
import { codeOfError } from './shared/errors/code-of-error.js';
import { isSecureUrl } from './shared/http/secure-url.js';
import { defaultLimits, type LimitSettings } from './shared/limits/limit-settings.js';
import { type Ecosystem, ecosystems } from './shared/packages/ecosystem.js';

/** An unset variable and an empty one mean the same: .env files and MCP hosts write `''` for "not set". */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

const flag = z.stringbool({
  truthy: ['true', '1', 'yes', 'on'],
  falsy: ['false', '0', 'no', 'off'],
  error: 'takes true or false',
});
export const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
  error: 'takes fatal, error, warn, info, debug, trace or silent',
});
const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'takes an http or https address such as https://posture.example.com',
});

const smtpUrl = z.string().refine(isSmtpUrl, { error: 'takes an address such as smtps://user:password@host:465' });

/** The port is 465 of smtps and 587 of smtp where none is named. */
function isSmtpUrl(text: string): boolean {
  if (!/^smtps?:\/\/[^/?#]+\/?$/i.test(text)) return false;
  try {
    const { username, password } = new URL(text);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** An address, with or without a name before it. */
const mailFrom = z.string().regex(/^([^<>"\p{Cc}]{1,100}<[^\s<>"]+@[^\s<>"]+>|[^\s<>"]+@[^\s<>"]+)$/u, {
  error: 'takes an address such as postern@example.com or Postern <postern@example.com>',
});

/** As it stands in the tokens. Plain HTTP is for this machine only. */
const issuerUrl = z.string().refine(isSecureUrl, {
  error: 'takes an https address such as https://login.example.com, as it stands in the tokens',
});

/** A whole number in words that say what would be right. */
const count = (min: number, max: number) => {
  const error = `takes a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
};

const secret = z.string().min(32, 'takes at least 32 characters');

/** One key, or two separated by a comma: the new one, and an old one that is still good while it is replaced. */
const rotatedKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine((keys) => keys.length <= 2 && keys.every((key) => key.length >= 32), {
    error: 'takes a key of at least 32 characters, or two as new,old',
  });

/** `host` or `host:port`, separated by commas; IPv6 in brackets. */
const hosts = z
  .string()
  .transform((text) => text.split(',').flatMap((entry) => entry.trim().toLowerCase() || []))
  .pipe(z.array(z.string().regex(/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/, 'takes host or host:port, by commas')))
  .transform((entries): ReadonlySet<string> => new Set(entries));

/** Host names or addresses without port, separated by commas; IPv6 in brackets. */
const hostNames = z
  .string()
  .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
  .pipe(z.array(z.string().regex(/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/i, 'takes host names without a port, by commas')));

/** Origins as browsers write them, separated by commas. */
const origins = z
  .string()
  .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
  .pipe(z.array(z.string().refine(isOrigin, 'takes origins such as https://app.example.com, by commas, and no *')))
  .transform((entries): ReadonlySet<string> => new Set(entries.map((entry) => new URL(entry).origin)));

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^/?#@]+\/?$/i.test(text) && !text.includes('*') && URL.canParse(text);
}

/** `npm=https://…,PyPI=https://…`. Plain HTTP is for this machine only. */
const registryUrls = z
  .string()
  .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
  .pipe(z.array(z.string().transform(readRegistryUrl)))
  .transform((entries): Readonly<Partial<Record<Ecosystem, string>>> => Object.fromEntries(entries));

function readRegistryUrl(entry: string, ctx: z.RefinementCtx): readonly [Ecosystem, string] {
  const [name = '', ...rest] = entry.split('=');
  const ecosystem = ecosystems.find((each) => each.toLowerCase() === name.trim().toLowerCase());
  const url = rest.join('=').trim();
  if (ecosystem !== undefined && isSecureUrl(url)) return [ecosystem, url];
  ctx.addIssue({
    code: 'custom',
    message: `takes ecosystem=https://host/path, separated by commas, the ecosystems being ${ecosystems.join(', ')}`,
  });
  return z.NEVER;
}

const auditSink = z.string().refine((text) => text === 'stdout' || isSecureUrl(text), {
  error: 'takes stdout, or an https address such as https://siem.example.com/postern, without user and query',
});

/** Every variable that Postern reads. .env.example and docs/configuration.md list the same ones and explain them. */
export const environment = z.object({
  HOST: optional(z.string()).default('127.0.0.1'),
  PORT: optional(count(0, 65_535)).default(3000),
  PUBLIC_URL: optional(httpUrl),
  ALLOWED_HOSTS: optional(hostNames).default([]),
  ALLOWED_ORIGINS: optional(origins).default(new Set<string>()),
  DATA_DIR: optional(z.string()).default('.postern'),
  DATABASE_URL: optional(
    z.url({
      protocol: /^postgres(ql)?$/,
      error: 'takes an address such as postgres://user:password@host:5432/database',
    }),
  ),
  OAUTH_ISSUER: optional(issuerUrl),
  OAUTH_AUDIENCE: optional(z.string()),
  OIDC_ISSUER: optional(issuerUrl),
  OIDC_CLIENT_ID: optional(z.string()),
  OIDC_CLIENT_SECRET: optional(z.string()),
  SERVICE_API_URL: optional(httpUrl),
  /** mcp-router and reach read these three; the server does not. */
  SERVICE_API_KEY: optional(z.string()),
  POSTERN_TOOLSETS: optional(z.string()),
  REACH_KNOWLEDGE: optional(z.string()),
  /** The publisher's public key for `postern knowledge update`, in PEM or as a JWK. */
  KNOWLEDGE_KEY: optional(z.string()),
  JWT_SECRET: optional(rotatedKeys),
  SECRETS_KEY: optional(rotatedKeys),
  OPERATOR_KEY: optional(secret),
  POSTERN_SAMPLE: optional(flag).default(true),
  FEEDS_SYNC: optional(flag).default(false),
  AUDIT_READS: optional(flag).default(false),
  AUDIT_SINK: optional(auditSink),
  AUDIT_SINK_TOKEN: optional(z.string().regex(/^[\w.~+/-]+=*$/, 'takes a bearer token without spaces')),
  REGISTRY_LOOKUP: optional(flag).default(false),
  REGISTRY_URLS: optional(registryUrls).default({}),
  /** Large uploads that are read at once, each by a process of its own. */
  UPLOAD_WORKERS: optional(count(1, 8)).default(2),
  /** Megabytes of heap that the process of one of them may take. */
  UPLOAD_MEMORY_MB: optional(count(256, 8_192)).default(2048),
  WEBHOOK_ALLOWED_HOSTS: optional(hosts).default(new Set<string>()),
  SMTP_URL: optional(smtpUrl),
  MAIL_FROM: optional(mailFrom),
  KEEP_ALIVE_SECONDS: optional(count(1, 3_600)).default(75),
  DRAIN_SECONDS: optional(count(0, 300)).default(0),
  METRICS_PORT: optional(count(0, 65_535)),
  METRICS_HOST: optional(z.string()).default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(httpUrl),
  GATEWAY_SECRET: optional(secret),
  TRUST_PROXY: optional(count(0, 10)).default(0),
  REDIS_URL: optional(
    z.url({ protocol: /^rediss?$/, error: 'takes an address such as redis://user:password@host:6379' }),
  ),
  LIMIT_RATE_PER_CREDENTIAL: optional(count(1, 1_000_000)).default(defaultLimits.ratePerCredential),
  LIMIT_RATE_PER_ORGANISATION: optional(count(1, 1_000_000)).default(defaultLimits.ratePerOrganisation),
  LIMIT_UNKNOWN_PER_ADDRESS: optional(count(1, 1_000_000)).default(defaultLimits.unknownPerAddress),
  LIMIT_AT_ONCE_PER_CREDENTIAL: optional(count(1, 10_000)).default(defaultLimits.atOncePerCredential),
  LIMIT_AT_ONCE_PER_ORGANISATION: optional(count(1, 10_000)).default(defaultLimits.atOncePerOrganisation),
  LIMIT_WAIT_SECONDS: optional(count(1, 30)).default(defaultLimits.maxWaitMs / 1_000),
  LOG_LEVEL: optional(logLevel).default('info'),
});

export type Environment = z.output<typeof environment>;

/** An OAuth authorization server whose tokens are taken, what they are for at which door, and the address of /mcp. */
export interface OAuthSettings {
  readonly issuer: string;
  readonly audiences: { readonly mcp: string; readonly api: string };
  readonly resource: string;
}

/**
 * The OAuth issuer, where one is set.
 * @throws EnvironmentError without PUBLIC_URL: tokens name the address that they are for. And of a gateway that
 * shares no GATEWAY_SECRET with its service, which could not know that a token has come to /mcp.
 */
export function oauthOf(settings: Environment): OAuthSettings | undefined {
  const { OAUTH_ISSUER: issuer, OAUTH_AUDIENCE, PUBLIC_URL, SERVICE_API_URL, GATEWAY_SECRET } = settings;
  if (issuer === undefined) return undefined;
  if (PUBLIC_URL === undefined) throw new EnvironmentError('OAUTH_ISSUER needs PUBLIC_URL, the address of this server');
  if (SERVICE_API_URL !== undefined && GATEWAY_SECRET === undefined)
    throw new EnvironmentError(
      'OAUTH_ISSUER with SERVICE_API_URL needs GATEWAY_SECRET, the same here and at the service',
    );
  const resource = new URL('/mcp', PUBLIC_URL).href;
  const audiences = { mcp: OAUTH_AUDIENCE ?? resource, api: new URL('/api', PUBLIC_URL).href };
  return { issuer, audiences, resource };
}

/** The mail server, where one is set, with the address that mails are from and the one of this server, to which their links lead. */
export interface MailSettings {
  readonly url: string;
  readonly from: string;
  readonly publicUrl: string;
}

/** @throws EnvironmentError where SMTP_URL lacks what it needs. */
export function mailOf({
  SMTP_URL: url,
  MAIL_FROM: from,
  PUBLIC_URL: publicUrl,
}: Environment): MailSettings | undefined {
  if (url === undefined) return undefined;
  if (from === undefined) throw new EnvironmentError('SMTP_URL needs MAIL_FROM, the address that mails are from');
  if (publicUrl === undefined) throw new EnvironmentError('SMTP_URL needs PUBLIC_URL, the address that links lead to');
  return { url, from, publicUrl };
}

/** How people sign in at issuers: the address that these send them back to, and the server's own client, where it has one. */
export interface SignInSettings {
  readonly publicUrl: string | undefined;
  readonly instance?: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string | null };
}

/**
 * How people sign in at issuers.
 * @throws EnvironmentError where an issuer lacks its client, or PUBLIC_URL.
 */
export function signInOf(environment: Environment): SignInSettings {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET, PUBLIC_URL: publicUrl } = environment;
  if (issuer === undefined) {
    if (clientId === undefined && OIDC_CLIENT_SECRET === undefined) return { publicUrl };
    throw new EnvironmentError('OIDC_CLIENT_ID and OIDC_CLIENT_SECRET need OIDC_ISSUER, where they are registered');
  }
  if (clientId === undefined) throw new EnvironmentError('OIDC_ISSUER needs OIDC_CLIENT_ID, as registered there');
  if (publicUrl === undefined)
    throw new EnvironmentError('OIDC_ISSUER needs PUBLIC_URL, the address to which it sends people back');
  return { publicUrl, instance: { issuer, clientId, clientSecret: OIDC_CLIENT_SECRET ?? null } };
}

/** The limits on calls that the environment sets. */
export function limitsOf(settings: Environment): LimitSettings {
  return {
    ratePerCredential: settings.LIMIT_RATE_PER_CREDENTIAL,
    ratePerOrganisation: settings.LIMIT_RATE_PER_ORGANISATION,
    unknownPerAddress: settings.LIMIT_UNKNOWN_PER_ADDRESS,
    atOncePerCredential: settings.LIMIT_AT_ONCE_PER_CREDENTIAL,
    atOncePerOrganisation: settings.LIMIT_AT_ONCE_PER_ORGANISATION,
    maxWaitMs: settings.LIMIT_WAIT_SECONDS * 1_000,
  };
}

/** A setting that cannot be used; its message names the variable and never repeats the value. */
export class EnvironmentError extends Error {}

/**
 * Reads the environment. A `.env` file in the working directory adds what is not set.
 * @throws EnvironmentError naming each variable that is wrong and what it takes.
 */
export function readEnvironment(variables: NodeJS.ProcessEnv = process.env, envFile = '.env'): Environment {
  const given = { ...readEnvFile(envFile), ...variables };
  const parsed = environment.safeParse(given);
  const unusable = parsed.success
    ? missing(parsed.data)
    : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`);
  const wrong = [
    ...withdrawn.filter(([name]) => (given[name] ?? '') !== '').map((words) => words.join(' ')),
    ...unusable,
  ];
  if (parsed.success && wrong.length === 0) return parsed.data;
  throw new EnvironmentError(`The environment is not valid.\n  ${wrong.join('\n  ')}`);
}

/** Variables that an earlier version read. Whoever sets one expects what it did. */
const withdrawn: ReadonlyArray<readonly [name: string, advice: string]> = [
  ['READ_DATABASE_URL', 'is no longer supported: remove it, because all reads go to DATABASE_URL'],
];

/** Variables that need others. */
function missing({ AUDIT_SINK, AUDIT_SINK_TOKEN }: Environment): string[] {
  if (AUDIT_SINK_TOKEN === undefined || (AUDIT_SINK ?? 'stdout') !== 'stdout') return [];
  return ['AUDIT_SINK_TOKEN needs AUDIT_SINK, the https address that it is for'];
}

function readEnvFile(path: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    if (codeOfError(error) === 'ENOENT') return {};
    throw new EnvironmentError(`${path} cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}`);
  }
}
