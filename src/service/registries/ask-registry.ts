import { type Dispatcher, request } from 'undici';
import { codeOfError } from '../../shared/errors/code-of-error.js';
import { compareVersions } from '../matching/versions/index.js';
import { ForbiddenAddressError } from '../outbound/guarded-agent.js';
import type { PackageVersion } from '../packages/coordinate.js';
import { readListAside } from './list-thread.js';
import { type KeptList, noList } from './read-list.js';
import { registries } from './registry.js';

/** The most that a registry knows: this version, the package only, or neither. */
export type Found = 'version' | 'package' | 'nothing';

export type RegistryAnswer =
  | { readonly kind: 'found'; readonly found: Found }
  /** No answer, with a reason that repeats nothing of the answer or the address. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface AskOptions {
  /** Without a slash at its end. */
  readonly url: string;
  readonly dispatcher: Dispatcher;
  /** Ends the whole question, however many requests it takes. */
  readonly signal: AbortSignal;
}

/** More than the largest list of versions that a registry has. */
const maxAnswerBytes = 16 * 1024 * 1024;
const maxVersions = 20_000;

export type ListAnswer =
  /** None where the registry has no such package. */
  { readonly kind: 'listed'; readonly list: KeptList } | { readonly kind: 'failed' };

/** Asks a registry for all versions of a package. Never throws. */
export async function askVersions(
  { ecosystem, name }: Omit<PackageVersion, 'version'>,
  options: AskOptions,
): Promise<ListAnswer> {
  if (isNoName(name)) return { kind: 'listed', list: noList };
  const { path, accept } = registries[ecosystem].list(name);
  try {
    const body = await get(path, options, 'read', accept);
    const list = body === null ? noList : await readListAside({ ecosystem, name, body }, options.signal);
    // A list that is cut would deny what it lacks.
    return list.versions.length > maxVersions ? { kind: 'failed' } : { kind: 'listed', list };
  } catch {
    return { kind: 'failed' };
  }
}

/** Asks a registry about a package version. Never throws. */
export async function askRegistry(named: PackageVersion, options: AskOptions): Promise<RegistryAnswer> {
  const { ecosystem, name, version } = named;
  if (isNoName(name)) return { kind: 'found', found: 'nothing' };
  const question = registries[ecosystem].question(name, version);
  try {
    if (question.kind === 'exists') {
      if ((await get(question.version, options, 'ignored')) !== null) return { kind: 'found', found: 'version' };
      const isThere = (await get(question.package, options, 'ignored')) !== null;
      return { kind: 'found', found: isThere ? 'package' : 'nothing' };
    }
    const body = await get(question.path, options, 'read');
    if (body === null) return { kind: 'found', found: 'nothing' };
    const { versions, yanked } = await readListAside({ ecosystem, name, body }, options.signal);
    const isListed = [...versions, ...yanked].some((each) => compareVersions(ecosystem, each, version) === 0);
    return { kind: 'found', found: isListed ? 'version' : 'package' };
  } catch (error) {
    return { kind: 'failed', reason: options.signal.aborted ? 'took too long' : reasonOf(error) };
  }
}

/** Such a segment would lead to another address. No registry has a package of that name. */
function isNoName(name: string): boolean {
  return name.split(/[/:]/).some((segment) => segment === '' || segment === '.' || segment === '..');
}

class AnswerError extends Error {}

/** The answer's body (empty where it is `ignored`); null where there is no such thing. Redirects count as failures. */
async function get(
  path: string,
  { url, dispatcher, signal }: AskOptions,
  body: 'ignored' | 'read',
  accept?: string,
): Promise<Uint8Array | null> {
  const headers = { 'user-agent': 'postern', ...(accept !== undefined && { accept }) };
  const answer = await request(`${url}${path}`, { dispatcher, signal, headers });
  const isThere = answer.statusCode === 200;
  if (!isThere || body === 'ignored') {
    await answer.body.dump({ limit: 16 * 1024, signal }).catch(() => undefined);
    if (isThere) return new Uint8Array();
    if (answer.statusCode === 404 || answer.statusCode === 410) return null;
    throw new AnswerError(`answered HTTP ${answer.statusCode}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body) {
    const part: Uint8Array = chunk;
    bytes += part.length;
    if (bytes > maxAnswerBytes) throw new AnswerError(`answered more than ${maxAnswerBytes / (1024 * 1024)} MB`);
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}

/** Our own words or a code such as ECONNREFUSED, never a message: it may repeat the answer. */
function reasonOf(error: unknown): string {
  if (error instanceof AnswerError) return error.message;
  if (error instanceof ForbiddenAddressError) return 'has no public address';
  const code = codeOfError(error);
  if (code !== null && /^[A-Z0-9_]{1,64}$/.test(code)) return `cannot be reached (${code})`;
  return 'answered something else than expected';
}
