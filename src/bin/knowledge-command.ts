import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, type CommanderError } from 'commander';
import { keyOf, makeBundle, maxBytes } from '../reach/knowledge/bundle.js';
import { KnowledgeError } from '../reach/knowledge/knowledge-file.js';
import { dateOf, parseSet, readText, shippedSet } from '../reach/knowledge/knowledge-set.js';
import { updateSet } from '../reach/knowledge/update-set.js';
import { download } from '../service/feeds/download.js';
import { codeOfError } from '../shared/errors/code-of-error.js';

/** The exit code where the command was called wrongly; 1 where a set was not taken. */
const misused = 2;

/** Milliseconds without a byte of the bundle after which an attempt ends. */
const idleMs = 30_000;

interface UpdateFlags {
  readonly key?: string;
  readonly dir?: string;
  readonly force?: boolean;
}

/** `postern knowledge update|bundle`. @param publicKey of the publisher, from the settings */
export function knowledgeCommand(publicKey: () => string | undefined): Command {
  const knowledge = new Command('knowledge').description('load and hand on what reach knows of tools and frameworks');
  knowledge
    .command('update')
    .description('load a newer set for reach --knowledge; nothing is written unless all of it is right')
    .argument('<url or file>', 'of the bundle; an address takes https')
    .option('--key <file>', 'of the public key of its publisher, PEM or JWK (default: KNOWLEDGE_KEY)')
    .option('--dir <folder>', 'where it is kept (default: postern/knowledge in the data folder of this user)')
    .option('--force', 'also where the set is older than the present one')
    .action((from: string, flags: UpdateFlags) => update(from, flags, publicKey));
  knowledge
    .command('bundle')
    .description('write the set of this program into one file')
    .requiredOption('--out <file>', 'the file')
    .option('--key <file>', 'of the private key to sign with, PEM or JWK for Ed25519')
    .action((flags: { readonly out: string; readonly key?: string }) => bundle(flags));
  for (const command of [knowledge, ...knowledge.commands]) command.exitOverride(exitMisused);
  return knowledge;
}

/** Commander has printed the error or the help already. */
function exitMisused({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : misused);
}

async function update(from: string, flags: UpdateFlags, publicKey: () => string | undefined): Promise<void> {
  const pem = flags.key === undefined ? publicKey() : readText(flags.key);
  const key = pem === undefined ? null : keyOf(pem, 'verify');
  const folder = flags.dir ?? dataFolder();
  const text = /^[a-z][a-z\d+.-]+:\/\//i.test(from) ? await fetchText(from) : readText(from);
  const { date, changes } = updateSet({ name: from, text, key, folder, force: flags.force === true });
  const signed = key === null ? 'Its signature was not checked: no key is configured.' : 'Its publisher has signed it.';
  const lines = changes.length === 0 ? ['Nothing differs from the present set.'] : changes;
  const use = `reach reads it with --knowledge ${folder}, or with REACH_KNOWLEDGE=${folder}`;
  process.stdout.write(`Knowledge of ${date}. ${signed}\n${lines.join('\n')}\n${use}\n`);
}

/** https://specifications.freedesktop.org/basedir-spec/latest/ */
function dataFolder(): string {
  return join(process.env['XDG_DATA_HOME'] || join(homedir(), '.local/share'), 'postern/knowledge');
}

/** Downloads as feeds are: https, or plain http on this machine. */
async function fetchText(address: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-knowledge-'));
  try {
    const path = join(folder, 'bundle');
    await download(address, { path, validator: null, limits: { maxBytes, idleMs } });
    return await readFile(path, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bundle({ out, key }: { readonly out: string; readonly key?: string }): Promise<void> {
  const files = shippedSet();
  const date = dateOf(parseSet(files));
  const text = makeBundle(files, date, key === undefined ? null : keyOf(readText(key), 'sign'));
  await writeFile(out, text).catch((error: unknown) => {
    throw new KnowledgeError(`${out}: cannot be written (${codeOfError(error) ?? 'unknown reason'})`);
  });
  const signed = key === undefined ? 'It is not signed.' : 'It is signed.';
  process.stdout.write(`${out} has ${files.size} files of ${date}. ${signed}\n`);
}
