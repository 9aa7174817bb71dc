import type { RouterOutputs } from '../../../../client/index.js';

type Alert = RouterOutputs['alerts']['get'];
type Ecosystem = Alert['package']['ecosystem'];

/** An upgrade to make. */
interface Upgrade {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly to: string;
  /** The project asks for the package itself. */
  readonly isDirect: boolean;
}

type Command = (name: string, to: string) => string;

/** By each ecosystem's own tool: for a package that the project asks for, and for one that others bring in. */
const commands: Readonly<Record<Ecosystem, { readonly direct: Command; readonly transitive: Command }>> = {
  npm: {
    direct: (name, to) => `npm install ${quoted(`${name}@${to}`)}`,
    transitive: (name) => `npm update ${quoted(name)}`,
  },
  PyPI: both((name, to) => `pip install ${quoted(`${name}==${to}`)}`),
  Go: both((name, to) => `go get ${quoted(`${name}@${to.startsWith('v') ? to : `v${to}`}`)}`),
  'crates.io': both((name, to) => `cargo update --package ${quoted(name)} --precise ${quoted(to)}`),
  Maven: both((name, to) => {
    const includes = `-Dincludes=${name}`;
    return `mvn versions:use-dep-version ${quoted(includes)} ${quoted(`-DdepVersion=${to}`)} -DforceVersion=true`;
  }),
  RubyGems: both((name) => `bundle update --conservative ${quoted(name)}`),
  NuGet: both((name, to) => `dotnet add package ${quoted(name)} --version ${quoted(to)}`),
  Packagist: {
    direct: (name, to) => `composer require ${quoted(`${name}:^${to}`)}`,
    transitive: (name, to) => `composer update ${quoted(name)} --with ${quoted(`${name}:${to}`)}`,
  },
};

function both(command: Command) {
  return { direct: command, transitive: command };
}

/** The command that makes an upgrade, for a POSIX shell. */
export function fixCommand({ ecosystem, name, to, isDirect }: Upgrade): string {
  const { direct, transitive } = commands[ecosystem];
  return isDirect ? direct(name, to) : transitive(name, to);
}

/** Names and versions come from feeds and uploads: whatever a shell could read as more than a word is quoted. */
function quoted(word: string): string {
  return /^[A-Za-z0-9@%+=:,./_-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
