import { wordSet } from '../../word-set.js';

/** Programs that run the file in their first argument. */
const runners = wordSet(
  'node nodejs bun deno tsx ts-node ts-node-dev ts-node-esm tsnd nodemon babel-node esr swc-node pm2',
  'pm2-runtime pm2-docker pm2-dev forever electron supervisor vite-node node-dev jiti zx coffee esno tsm esbuild-register',
  'functions-framework fastify micro wrangler sucrase-node ncc esbuild tsup parcel browserify watchify microbundle rollup',
  'webpack rspack tsdown pkg nexe c8 nyc clinic 0x newrelic elastic-apm-node opentelemetry-instrument',
);

/** Words of runners before the file. */
const subcommands = wordSet('run start watch exec restart reload serve build dev -- x --no-daemon');

/** Options of runners whose value is a file, which is loaded before the program. */
const preloads = wordSet('-r --require --import --loader --experimental-loader --preload --source --entry');
/** Options of runners with any other value. */
const optionsWithValue = wordSet(
  '-e --exec -w --watch --ext -x --env-file -c --config -P --project -n --name -i --conditions -C --tsconfig',
  '--watch-path --delay -o -l -d --out-dir --outdir --outfile --dist-dir --port -p --ignore --cwd --env -f --format',
);

/** Programs that start the program in their arguments. */
const wrapperNames = wordSet(
  'cross-env cross-env-shell env npx exec dotenv dotenvx dotenv-flow env-cmd -- sudo time tini dumb-init bunx pnpx',
  'nohup nice setsid catchsegv wait-on start-server-and-test dotenv-cli command eval then do else !',
);
/** Wrappers whose first argument is a user: `gosu node app`. */
const userWrappers = wordSet('gosu su-exec runuser chpst s6-setuidgid setpriv with-contenv');

/** Managers of packages that also start programs: `yarn tsx`, `pnpm exec tsx`. */
const managers = wordSet('yarn pnpm bun npm');
const managerWords = wordSet('run exec dlx x --silent -s --');

const shells = wordSet('sh bash ash dash zsh ksh source .');

const assignment = /^[A-Za-z_]\w*=/;

/** A command of a shell line: the program's name without its folder, and its arguments. */
export interface Command {
  /** Programs that start the program: `cross-env`, `npx`. */
  readonly wrappers: readonly string[];
  readonly program: string;
  /** The program as it is written, with its folder. */
  readonly path: string;
  readonly words: readonly string[];
}

/** The commands of a shell line, and those quoted for another program (`concurrently "a" "b"`). */
export function commandsOf(line: string): Command[] {
  return line
    .replaceAll('\\"', '"')
    .split(/&&|\|\|?|;|["'`\n()]|\s&(?=\s|$)/)
    .flatMap((part) => {
      const words = part
        .trim()
        .split(/\s+/)
        .filter((word) => word !== '');
      return commandOf(words);
    });
}

/** Programs that start programs, in one command. */
const maxWrapped = 8;

function commandOf(words: readonly string[], depth = 0): Command[] {
  const wrappers: string[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (wrapperNames.has(word)) wrappers.push(word);
    else if (userWrappers.has(word)) {
      wrappers.push(word);
      at++;
    } else if (word.startsWith('-') && wrappers.length > 0) {
      // `env-cmd -f .env node x.js`: the value of an option is no program.
      if (optionsWithValue.has(word)) at++;
    } else if (!assignment.test(word)) break;
  }
  const path = words[at];
  if (path === undefined || path.startsWith('-')) return [];
  const program = path.slice(path.lastIndexOf('/') + 1);
  const rest = words.slice(at + 1);
  const command = { wrappers, program, path, words: rest };
  return depth === maxWrapped ? [command] : [command, ...commandOf(innerWords(program, rest), depth + 1)];
}

/** The words of the command that a shell, a manager of packages or any other program starts: `sh -c ...`, `doppler run -- ...`. */
function innerWords(program: string, words: readonly string[]): readonly string[] {
  if (shells.has(program) && /^-\w*c$/.test(words[0] ?? '')) return words.slice(1);
  const manager = words.findIndex((word) => managers.has(word));
  if (manager !== -1) return words.slice(manager);
  const inner = managers.has(program) ? words.findIndex((word) => !managerWords.has(word)) : words.indexOf('--') + 1;
  return inner === -1 || (inner === 0 && !managers.has(program)) ? [] : words.slice(inner);
}

const bundlers = wordSet(
  'esbuild tsup tsdown parcel ncc rollup webpack rspack browserify watchify microbundle bun wrangler pkg nexe swc',
);

/** Whether a program makes the code that production runs: the files that it is given are where the code starts. */
export function isBundler({ program }: Command): boolean {
  return bundlers.has(program);
}

/** The files that a command loads if its program is a runner: the file that it runs, and those loaded before it. */
export function filesRunBy({ program, words }: Command): string[] {
  if (!runners.has(program)) return [];
  const files: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [option = '', value] = word.split('=', 2);
    if (preloads.has(word)) files.push(words[++at] ?? '');
    else if (value !== undefined && preloads.has(option)) files.push(value);
    else if (optionsWithValue.has(word)) at++;
    else if (word.startsWith('-') || subcommands.has(word) || runners.has(word)) continue;
    else {
      files.push(word);
      break;
    }
  }
  return files.filter((file) => file !== '' && !file.includes('*'));
}

const shellScript = /\.(?:sh|bash|zsh)$/;

/** The shell scripts that a command may run: `sh ./start.sh`, `./entrypoint.sh`, `./bin/start`. */
export function scriptsRunBy({ program, path, words }: Command): string[] {
  const arguments_ = shells.has(program) ? words.filter((word) => !word.startsWith('-')).slice(0, 1) : [];
  const passed = words.filter((word) => shellScript.test(word));
  const itself = path.includes('/') || shellScript.test(path) ? [path] : [];
  return [...new Set([...itself, ...arguments_, ...passed])];
}

/** Programs whose arguments are names of scripts in package.json. */
const scriptRunner = wordSet(
  'npm yarn pnpm bun npm-run-all npm-run-all2 run-s run-p concurrently conc wireit turbo lerna nx rush wsrun ultra corepack',
  'npm-run-all-next nps redrun',
);

/** The words by which a command may name scripts of package.json: `start`, `start:*` of `npm-run-all start:*`. */
export function scriptNamesIn({ program, words }: Command): readonly string[] {
  return scriptRunner.has(program) || program.startsWith('npm:')
    ? [program, ...words].map((word) => word.replace(/^(?:npm|yarn|pnpm|bun):/, ''))
    : [];
}

const programScript =
  /^(?:start|serve|server|prod|production|worker|web|dev|develop|development|debug|api|app|backend|frontend|client|bot|cron|jobs?|queue|scheduler|daemon|run|launch|cli|electron|preview)(?:[:._-].*)?$/;
const sideScript = /test|e2e|mock|storybook|lint|docs|types|typecheck|coverage/;

/** Whether a script of package.json, by its name, runs the program itself and not a tool around it. */
export function runsProgram(scriptName: string): boolean {
  return (
    (programScript.test(scriptName) || /(?:^|[:._-])(?:start|serve|prod|production)$/.test(scriptName)) &&
    !sideScript.test(scriptName)
  );
}
