import type { RouterOutputs } from '../../../../client/index.js';

type Alert = RouterOutputs['alerts']['get'];
type Ecosystem = Alert['package']['ecosystem'];

/** An upgrade to make of a package that the project asks for itself. */
interface Upgrade {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly to: string;
}

/** By each ecosystem's own tool. */
const commands: Readonly<Record<Ecosystem, (name: string, to: string) => string>> = {
  npm: (name, to) => `npm install ${quoted(`${name}@${to}`)}`,
  PyPI: (name, to) => `pip install ${quoted(`${name}==${to}`)}`,
  Go: (name, to) => `go get ${quoted(`${name}@${to.startsWith('v') ? to : `v${to}`}`)}`,
  'crates.io': (name, to) => `cargo update --package ${quoted(name)} --precise ${quoted(to)}`,
  Maven: (name, to) => {
    const includes = `-Dincludes=${name}`;
    return `mvn versions:use-dep-version ${quoted(includes)} ${quoted(`-DdepVersion=${to}`)} -DforceVersion=true`;
  },
  RubyGems: (name) => `bundle update --conservative ${quoted(name)}`,
  NuGet: (name, to) => `dotnet add package ${quoted(name)} --version ${quoted(to)}`,
  Packagist: (name, to) => `composer require ${quoted(`${name}:^${to}`)}`,
};

/** The command that makes an upgrade, for a POSIX shell. What others bring in needs the plan of fixes: no one command moves it. */
export function fixCommand({ ecosystem, name, to }: Upgrade): string {
  return commands[ecosystem](name, to);
}

/** Names and versions come from feeds and uploads: whatever a shell could read as more than a word is quoted. */
function quoted(word: string): string {
  return /^[A-Za-z0-9@%+=:,./_-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
