import { isTool } from '../../../knowledge/development-tools.js';
import { either } from '../../patterns.js';
import type { SourceTree } from '../../source-tree.js';
import { fileNameOf } from '../../tree-path.js';
import { entriesOf, field, textOf } from '../json-values.js';
import { commandsOf, runsProgram, scriptNamesIn } from '../project/commands.js';
import { containerFile, startCommands } from '../project/containers.js';
import type { Manifest } from '../project/manifests.js';

/** Scripts that run the program while it is written. */
const whileWriting = /^(?:dev|develop|development|debug)(?:[:._-].*)?$/;

const shellScript = /\.(?:sh|bash|zsh)$|^(?:entrypoint|start|run)$/;
const processList = either(
  '',
  /(?:^|\/)(?:[^/]*\.)?(?:ecosystem|pm2|processes)\.[^/]+$/,
  /(?:^|\/)(?:k8s|kubernetes|deploy|deployments?|helm|charts?|manifests|\.do|\.platform)\/.*\.ya?ml$/,
);

/** Files that may start a script are small. */
const maxBytes = 256 * 1024;

/** What is known of the programs that scripts of package.json run. */
export interface StartedScripts {
  /**
   * The role in which a script runs the program of a package: `prod` where a script that may start production runs it,
   * `script` where only work on the project does, `started` where production certainly runs it.
   */
  roleOf(manifest: Manifest | undefined, script: string, packageName: string): 'prod' | 'script' | 'started';
}

/**
 * Reads which scripts containers, process lists, shell scripts and other scripts start. A script that is named after work on
 * the project is not one of production unless one of these starts it. Nor does production run a bundler that is declared
 * for development; what else `start` runs may be there.
 */
export function startedScripts(tree: SourceTree, manifests: ReadonlyMap<string, Manifest>): StartedScripts {
  let words: readonly string[] | undefined;
  const isStarted = (script: string): boolean => {
    words ??= [...new Set([...wordsInFiles(tree), ...wordsInScripts(manifests)])];
    return words.some((word) =>
      word.includes('*') ? script.startsWith(word.split('*', 1)[0] ?? '') : word === script,
    );
  };
  return {
    roleOf(manifest, script, packageName) {
      const isDevelopment = whileWriting.test(script);
      const isBuild = isTool('npm', packageName, 'scripts');
      const forProduction = ['dependencies', 'optionalDependencies'].some(
        (section) => field(field(manifest?.content, section), packageName) !== undefined,
      );
      if (forProduction) return isDevelopment || isBuild ? 'prod' : 'started';
      const isDeclared = field(field(manifest?.content, 'devDependencies'), packageName) !== undefined;
      return isDeclared && (isDevelopment || isBuild) && !isStarted(script) ? 'script' : 'prod';
    },
  };
}

function wordsInFiles(tree: SourceTree): string[] {
  return tree.files.flatMap(({ path, bytes }) => {
    const name = fileNameOf(path);
    const isContainer = containerFile.test(name);
    const isList = processList.test(path);
    if (bytes > maxBytes || !(isContainer || isList || shellScript.test(name))) return [];
    const text = tree.read(path) ?? '';
    const lines = isContainer ? startCommands(text).map((command) => command.text) : text.split('\n');
    // A list of processes has the manager and the script in fields of their own.
    return isList ? text.split(/[^\w:*.-]+/) : lines.flatMap(wordsIn);
  });
}

function wordsInScripts(manifests: ReadonlyMap<string, Manifest>): string[] {
  return [...manifests.values()].flatMap(({ content }) =>
    entriesOf(field(content, 'scripts')).flatMap(([name, value]) =>
      runsProgram(name) && !whileWriting.test(name) ? wordsIn(textOf(value) ?? '') : [],
    ),
  );
}

function wordsIn(line: string): string[] {
  return commandsOf(line).flatMap(scriptNamesIn);
}
