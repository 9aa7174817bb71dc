/** Programs that run the file which they are given first. */
const runners = new Set([
  'node',
  'nodejs',
  'bun',
  'deno',
  'tsx',
  'ts-node',
  'ts-node-dev',
  'ts-node-esm',
  'tsnd',
  'nodemon',
  'babel-node',
  'esr',
  'swc-node',
  'pm2',
  'pm2-runtime',
  'forever',
  'electron',
  'supervisor',
  'vite-node',
  'node-dev',
  'jiti',
]);

/** Words of runners that come before the file. */
const subcommands = new Set(['run', 'start', 'watch', 'exec', 'restart', 'reload', '--']);

/** Options whose next word is a file that is loaded first, and those whose next word is something else. */
const preloads = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader']);
const valued = new Set([
  '-e',
  '--exec',
  '-w',
  '--watch',
  '--ext',
  '-x',
  '--env-file',
  '-c',
  '--config',
  '-P',
  '--project',
  '-n',
  '--name',
  '-i',
  '--conditions',
  '-C',
  '--watch-path',
  '--delay',
  '-o',
  '-l',
]);

const assignment = /^[A-Za-z_]\w*=/;

/** A command of a shell line: the program's name without its folder, and its words. */
export interface Command {
  /** Programs that run the program: `cross-env`, `npx`. */
  readonly prefixes: readonly string[];
  readonly program: string;
  readonly words: readonly string[];
}

/** The commands of a shell line, also of those that are quoted for another program (`concurrently "a" "b"`). */
export function commandsOf(line: string): Command[] {
  return line.split(/&&|\|\|?|;|["'`\n()]|\s&(?=\s|$)/).flatMap((part) => {
    const words = part
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '');
    const start = words.findIndex((word) => !assignment.test(word) && !prefixes.has(word));
    const program = words[start];
    if (program === undefined) return [];
    const before = words.slice(0, start).filter((word) => prefixes.has(word));
    return [{ prefixes: before, program: program.slice(program.lastIndexOf('/') + 1), words: words.slice(start + 1) }];
  });
}

const prefixes = new Set([
  'cross-env',
  'cross-env-shell',
  'env',
  'npx',
  'exec',
  'dotenv',
  '--',
  'sudo',
  'time',
  'tini',
  'dumb-init',
  'bunx',
  'pnpx',
]);

/** The files that a command makes a runner load: the one it runs, and those it loads before. */
export function filesRunBy({ program, words }: Command): string[] {
  if (!runners.has(program)) return [];
  const files: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (preloads.has(word)) files.push(words[++at] ?? '');
    else if (valued.has(word)) at++;
    else if (word.startsWith('-') || subcommands.has(word)) continue;
    else {
      files.push(word);
      break;
    }
  }
  return files.filter((file) => file !== '' && !file.includes('*'));
}
