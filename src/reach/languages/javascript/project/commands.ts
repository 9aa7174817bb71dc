import { setsOf } from '../../../knowledge/knowledge.js';
import { alternatives } from '../../patterns.js';

const listed = setsOf('javascript/commands');
const runners = listed('runners');
const subcommands = listed('subcommands');
const preloads = listed('preloads');
const optionsWithValue = listed('optionsWithValue');
const wrapperNames = listed('wrappers');
const userWrappers = listed('userWrappers');
const managers = listed('managers');
const managerWords = listed('managerWords');
const shells = listed('shells');
const bundlers = listed('bundlers');
const scriptRunner = listed('scriptRunners');

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

/** The words by which a command may name scripts of package.json: `start`, `start:*` of `npm-run-all start:*`. */
export function scriptNamesIn({ program, words }: Command): readonly string[] {
  return scriptRunner.has(program) || program.startsWith('npm:')
    ? [program, ...words].map((word) => word.replace(/^(?:npm|yarn|pnpm|bun):/, ''))
    : [];
}

const programScripts = alternatives(
  'start serve server prod production worker web dev develop development debug api app backend frontend client bot cron',
  'jobs? queue scheduler daemon run launch cli electron preview',
);
const programScript = new RegExp(`^(?:${programScripts})(?:[:._-].*)?$`);
const sideScript = /test|e2e|mock|storybook|lint|docs|types|typecheck|coverage/;

/** Whether a script of package.json, by its name, runs the program itself and not a tool around it. */
export function runsProgram(scriptName: string): boolean {
  return (
    (programScript.test(scriptName) || /(?:^|[:._-])(?:start|serve|prod|production)$/.test(scriptName)) &&
    !sideScript.test(scriptName)
  );
}
