import { wordSet } from '../../word-set.js';

/** Programs that run the file in their first argument. */
const runners = wordSet(
  'node nodejs bun deno tsx ts-node ts-node-dev ts-node-esm tsnd nodemon babel-node esr swc-node pm2',
  'pm2-runtime forever electron supervisor vite-node node-dev jiti',
);

/** Words of runners before the file. */
const subcommands = new Set(['run', 'start', 'watch', 'exec', 'restart', 'reload', '--']);

/** Options of runners whose value is a file, which is loaded before the program. */
const preloads = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader']);
/** Options of runners with any other value. */
const optionsWithValue = wordSet(
  '-e --exec -w --watch --ext -x --env-file -c --config -P --project -n --name -i --conditions -C',
  '--watch-path --delay -o -l',
);

/** Programs that start the program in their arguments. */
const wrapperNames = wordSet('cross-env cross-env-shell env npx exec dotenv -- sudo time tini dumb-init bunx pnpx');

const assignment = /^[A-Za-z_]\w*=/;

/** A command of a shell line: the program's name without its folder, and its arguments. */
export interface Command {
  /** Programs that start the program: `cross-env`, `npx`. */
  readonly wrappers: readonly string[];
  readonly program: string;
  readonly words: readonly string[];
}

/** The commands of a shell line, and those quoted for another program (`concurrently "a" "b"`). */
export function commandsOf(line: string): Command[] {
  return line.split(/&&|\|\|?|;|["'`\n()]|\s&(?=\s|$)/).flatMap((part) => {
    const words = part
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '');
    const start = words.findIndex((word) => !assignment.test(word) && !wrapperNames.has(word));
    const program = words[start];
    if (program === undefined) return [];
    const wrappers = words.slice(0, start).filter((word) => wrapperNames.has(word));
    return [{ wrappers, program: program.slice(program.lastIndexOf('/') + 1), words: words.slice(start + 1) }];
  });
}

/** The files that a command loads if its program is a runner: the file that it runs, and those loaded before it. */
export function filesRunBy({ program, words }: Command): string[] {
  if (!runners.has(program)) return [];
  const files: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (preloads.has(word)) files.push(words[++at] ?? '');
    else if (optionsWithValue.has(word)) at++;
    else if (word.startsWith('-') || subcommands.has(word)) continue;
    else {
      files.push(word);
      break;
    }
  }
  return files.filter((file) => file !== '' && !file.includes('*'));
}

const programScript = /^(?:start|serve|server|prod|production|worker|web|dev|develop|debug)(?:[:._-].*)?$/;
const sideScript = /test|e2e|mock|storybook|lint|docs/;

/** Whether a script of package.json, by its name, runs the program itself and not a tool around it. */
export function runsProgram(scriptName: string): boolean {
  return programScript.test(scriptName) && !sideScript.test(scriptName);
}
