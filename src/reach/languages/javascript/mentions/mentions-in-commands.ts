import type { Role } from '../../language-reader.js';
import { commandsOf, runsProgram } from '../project/commands.js';
import type { PlacedString } from './file-strings.js';
import type { Mention } from './mention.js';
import type { NameSearch } from './package-names.js';
import { packagesOfProgram } from './program-packages.js';

/** What a script of package.json is for. Those of an installation also run where the project is deployed. */
export function roleOfScript(name: string): Role {
  if (runsProgram(name)) return 'prod';
  return /^(?:pre|post)?install$/.test(name) ? 'config' : 'script';
}

/** Programs whose arguments are names of scripts in package.json. */
const scriptRunner = /^(?:npm|yarn|pnpm|bun|npm-run-all|run-s|run-p)$/;
/** Those that also run programs of packages: `yarn patch-package`, `pnpm exec x`. */
const packageRunner = /^(?:npm|yarn|pnpm|bun)$/;
const runnerWord = /^(?:run|exec|x|dlx|-.*)$/;

/**
 * Finds the packages whose programs, or whose files and names as arguments, are in shell lines.
 *
 * @param script the name of the script of package.json that the lines are
 */
export function inCommands(lines: readonly PlacedString[], search: NameSearch, role: Role, script?: string): Mention[] {
  return lines.flatMap(({ text, offset }) =>
    commandsOf(text).flatMap(({ wrappers, program, words }) => {
      const inner = packageRunner.test(program) ? (words.find((word) => !runnerWord.test(word)) ?? []) : [];
      const programs = [program, ...wrappers, ...[inner].flat()]
        .flatMap(packagesOfProgram)
        .flatMap((name) => search.names.get(name) ?? []);
      const named = scriptRunner.test(program) ? [] : words.flatMap((word) => packagesInArgument(word, search));
      return [...new Set([...programs, ...named])].map((packageName) => ({
        packageName,
        subpath: null,
        offset,
        role,
        ...(script !== undefined && programs.includes(packageName) && { runBy: script }),
      }));
    }),
  );
}

/** `dotenv/config` of `-r dotenv/config`, `--import=tsx`, `node_modules/grunt-cli/bin/grunt` */
function packagesInArgument(argument: string, search: NameSearch): string[] {
  return search.packagesIn(argument.replace(/^--?[\w-]+=/, '')).map(({ packageName }) => packageName);
}
