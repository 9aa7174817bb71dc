import { basename } from 'node:path';
import { Command, type CommanderError } from 'commander';
import { readCovers } from '../service/feeds/covered-ecosystems.js';
import { FeedError, type FeedKind, feedKinds, fileTypeOf, fileTypes } from '../service/feeds/feed.js';
import { type EmitFeedEvent, emitFailure, loadWithEvents } from '../service/feeds/feed-event.js';
import { originsOf, publicFeeds } from '../service/feeds/feed-origins.js';
import { feedStatus, readStatus } from '../service/feeds/feed-status.js';
import { reconcileWith } from '../service/feeds/load-context.js';
import { createPrinter, statusText } from '../service/feeds/progress-text.js';
import { requestStatus, requestSync, uploadFeed } from '../service/feeds/remote-service.js';
import { syncFeeds } from '../service/feeds/sync.js';
import { inDatabaseOrService, type OperatorSettings } from './database-or-service.js';

type Settings = () => OperatorSettings;

interface LoadOptions extends Partial<Record<FeedKind, string[]>> {
  readonly strict?: boolean;
  readonly covers?: string;
}

/** Exit codes: something could not be loaded; the command was called wrongly. */
const failed = 1;
const misused = 2;

/** `postern feeds load|sync|status`. Settings are read when a sub-command runs. */
export function feedsCommand(settings: Settings): Command {
  const feeds = new Command('feeds').description(
    'load and sync advisories (OSV), EPSS scores, the KEV catalogue and vulnerable symbols',
  );
  const load = feeds.command('load').description('load feed files; the same content again changes nothing');
  for (const kind of feedKinds) load.option(`--${kind} <file...>`, `${kind} files: ${fileTypes[kind].join(', ')}`);
  load.option('--covers <ecosystems>', 'what the OSV files have all advisories of, as npm,PyPI, or none');
  load.option('--strict', 'load nothing of a file that holds a record which cannot be used');
  load.action((options: LoadOptions) => run(() => loadFiles(settings(), options)));
  feeds
    .command('sync')
    .description('download the public feeds and load what is new')
    .option('--only <feeds...>', 'some of them: osv, osv:npm, epss, kev')
    .action(({ only = [] }: { only?: string[] }) => run(() => sync(settings(), only)));
  feeds
    .command('status')
    .description('what is loaded, and how old it is')
    .action(() => run(() => showStatus(settings())));
  for (const command of [feeds, ...feeds.commands]) command.exitOverride(exitMisused);
  return feeds;
}

/** Commander has printed the error or the help already. */
function exitMisused({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : misused);
}

async function run(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`postern feeds: ${error.message}\n`);
    process.exitCode = error instanceof Misuse ? misused : failed;
  }
}

class Misuse extends Error {}

async function loadFiles(settings: OperatorSettings, options: LoadOptions): Promise<void> {
  const onBad = options.strict === true ? 'refuse' : 'report';
  const files = feedKinds.flatMap((kind) =>
    (options[kind] ?? []).map((path) => ({ kind, path, name: basename(path) })),
  );
  if (files.length === 0)
    throw new Misuse('name the files to load: --osv FILE…, --epss FILE, --kev FILE, --symbols FILE…');
  for (const { kind, name } of files) orMisuse(() => fileTypeOf(kind, name));
  const { covers: stated } = options;
  const covers = stated === undefined ? undefined : orMisuse(() => readCovers(stated));
  if (covers !== undefined && options.osv === undefined)
    throw new Misuse('--covers is about OSV files: give --osv FILE');
  const emit = createEmit();
  await inDatabaseOrService(settings, {
    inDatabase: async (database, signal) => {
      for (const { kind, path, name } of files) {
        const request = { kind, part: name, file: { path, name }, onBad, covers, validator: null } as const;
        await loadWithEvents({ database, signal, reconcile: reconcileWith(database) }, request, emit);
      }
    },
    viaService: async (service) => {
      for (const { kind, path, name } of files) {
        await emitFailure(name, emit, () => uploadFeed(service, { kind, file: { path, name }, onBad, covers }, emit));
      }
    },
  });
}

async function sync(settings: OperatorSettings, only: readonly string[]): Promise<void> {
  const names = only.flatMap((each) => each.split(','));
  const origins = orMisuse(() => originsOf(publicFeeds, names));
  const emit = createEmit();
  await inDatabaseOrService(settings, {
    inDatabase: (database, signal) =>
      syncFeeds({ database, signal, emit, dataDir: settings.dataDir, reconcile: reconcileWith(database) }, origins),
    viaService: (service) => requestSync(service, names, emit),
  });
}

async function showStatus(settings: OperatorSettings): Promise<void> {
  const status = await inDatabaseOrService(settings, {
    inDatabase: async (database) => feedStatus.parse(await database.system((tx) => readStatus(tx, new Date()))),
    viaService: requestStatus,
  });
  process.stdout.write(`${statusText(status)}\n`);
}

/** Prints events on the standard streams. A failure sets the exit code. */
function createEmit(): EmitFeedEvent {
  const print = createPrinter(process.stdout, process.stderr);
  return (event) => {
    if (event.type === 'failed') process.exitCode = failed;
    print(event);
  };
}

/** Runs `read`; a `FeedError` becomes a `Misuse`. */
function orMisuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof FeedError ? new Misuse(error.message) : error;
  }
}
