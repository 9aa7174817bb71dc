import { partsOf } from './edit-rules.js';
import { isShellWord } from './shell-word.js';
import type { Reach } from './ways.js';

interface Tool {
  readonly reach: Reach;
  /** What is run beside the lock file after the edits, so that these packages come to the newest versions inside the ranges. */
  readonly commands: (names: string) => readonly string[];
}

const nested: Reach = { renews: true, nests: true };
const flat: Reach = { renews: true, nests: false };
const keeping: Reach = { renews: false, nests: true };

/**
 * By the lock file's name, in small letters. A tool keeps what is locked, also beside an override and inside a range that was edited, until
 * it is asked for the packages by name. Yarn 1 has no such command for what others bring in, and Bun none before 1.4.
 */
const tools: Readonly<Record<string, Tool>> = {
  'package-lock.json': { reach: nested, commands: (names) => ['npm install', `npm update ${names}`] },
  'npm-shrinkwrap.json': { reach: nested, commands: (names) => ['npm install', `npm update ${names}`] },
  // Without --no-save the ranges of direct dependencies are rewritten.
  'pnpm-lock.yaml': { reach: nested, commands: (names) => ['pnpm install', `pnpm update -r --no-save ${names}`] },
  'cargo.lock': { reach: flat, commands: (names) => [`cargo update ${names}`] },
  'poetry.lock': { reach: flat, commands: (names) => [`poetry update ${names}`] },
  'uv.lock': {
    reach: flat,
    commands: (names) => [`uv lock ${names.replaceAll(/(?:^|(?<= ))(?=\S)/g, '--upgrade-package ')}`],
  },
  'pdm.lock': { reach: flat, commands: (names) => [`pdm update ${names}`] },
  'pipfile.lock': { reach: flat, commands: (names) => [`pipenv update ${names}`] },
  'gemfile.lock': { reach: flat, commands: (names) => [`bundle update --conservative ${names}`] },
  'composer.lock': { reach: flat, commands: (names) => [`composer update ${names}`] },
};

const yarnBerry: Tool = { reach: nested, commands: (names) => ['yarn install', `yarn up -R ${names}`] };
const yarnClassic: Tool = { reach: keeping, commands: () => ['yarn install'] };
const bun: Tool = { reach: nested, commands: (names) => ['bun install', `bun update -r ${names}`] };
const oldBun: Tool = { reach: keeping, commands: () => ['bun install'] };

function toolOf(source: string, writer: string | null): Tool | undefined {
  const file = partsOf(source).file.toLowerCase();
  if (file === 'yarn.lock') return /^yarn@[2-9]/.test(writer ?? '') ? yarnBerry : yarnClassic;
  if (file === 'bun.lock') return /^bun@1\.([4-9]|[1-9]\d)/.test(writer ?? '') ? bun : oldBun;
  return Object.hasOwn(tools, file) ? tools[file] : undefined;
}

/** @param writer the tool that writes the lock file, as `yarn@4.5.0`; null where it is not known */
export function reachOf(source: string, writer: string | null): Reach {
  return toolOf(source, writer)?.reach ?? { renews: false, nests: false };
}

/** What to run beside the lock file after the edits. Names that a shell would take for more than a word are left out. */
export function commandsOf(source: string, writer: string | null, names: readonly string[]): readonly string[] {
  const words = names.filter(isShellWord).join(' ');
  return words === '' ? [] : (toolOf(source, writer)?.commands(words) ?? []);
}
