import { codeOfError } from '../../shared/errors/code-of-error.js';

/** What to do about a PostgreSQL that does not let us in, by SQLSTATE or the socket's code. The message never repeats the URL. */
const causes: ReadonlyArray<readonly [codes: RegExp, advice: string]> = [
  [
    /^(?:ECONNREFUSED|ECONNRESET|EPIPE|57P03|08...)$/,
    'no PostgreSQL answers there: is it running, and are host and port right?',
  ],
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'its host name is not known: is it spelt right?'],
  [
    /^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'its host does not answer: is it right, and does a firewall let this machine through?',
  ],
  [/^28...$/, 'the server refuses the user or the password'],
  [/^3D000$/, 'the server has no database of this name: create it'],
  [/^53300$/, 'the server has no connection left: raise max_connections or stop other clients'],
  [/^25006$/, 'the server is read-only: name its primary'],
  [
    /^(?:CERT_\w+|ERR_TLS\w+|ERR_SSL\w+|DEPTH_ZERO\w+|SELF_SIGNED\w+|UNABLE_TO\w+)$/,
    'its TLS certificate is not trusted: see sslmode and sslrootcert',
  ],
];

const poolerIsFull =
  'the pooler in front has no free connection to the server: a start needs two (default_pool_size of pgbouncer)';

/** An error at the start as one that names the setting and says what to do; other errors as they are. */
export function unusableDatabase(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOfError(error) ?? (/timeout|terminated/i.test(error.message) ? 'ETIMEDOUT' : '');
  const advice =
    error.message === 'query_wait_timeout' ? poolerIsFull : causes.find(([codes]) => codes.test(code))?.[1];
  return advice === undefined ? error : new Error(`DATABASE_URL: ${advice} (${error.message})`, { cause: error });
}
