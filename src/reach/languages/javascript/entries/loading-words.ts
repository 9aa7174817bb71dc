import { either } from '../../patterns.js';

/** A text without any of these words, and that lists no files to import them and forks no path, loads nothing by name. */
const loadingWord = either(
  '',
  /__dirname|__filename|import\.meta\.(?:url|dirname|filename|dir\b|glob)|require\.context|child_process|utilityProcess/,
  /new\s+(?:Shared)?Worker\b|addModule|importScripts|fromAsset|NodejsFunction|[rR]equire(?:Directory|Dir|All)/,
  /[iI]ncludeAll|consign|[aA]uto[lL]oad|loadFiles|importx|Piscina|Tinypool|serviceWorker|setupPrimary|setupMaster/,
  /\b(?:entities|migrations|subscribers)\s*:\s*\[/,
);
const listingWord = /\b(?:readdir|opendir|scandir|glob|fast-glob|tinyglobby|fdir|klaw|walk)/;
const computedImport = /\b(?:require|import)\s*\(\s*(?:[^\s'"`)]|`[^`]*\$\{)/;

/** The beginning of the first argument of a call of `fork`. */
const forkCall = /\bfork\s*\(\s*(new\s+URL\b|["'`]|[\w$.]+)/g;
const pathArgument = /^(?:new\s|["'`])|(?:join|resolve|URL|normalize|toString|Sync|cwd|dirname|String)[\w$]*$/i;

/** Whether a text of code may load other code by a name or a path. Only then need its syntax tree be read for that. */
export function mayLoadByName(text: string): boolean {
  return loadingWord.test(text) || (computedImport.test(text) && listingWord.test(text)) || forksPath(text);
}

/** Effects and fibers are forked too: `fork(effect)`. Only a text, or a name with a text as its value, is a path. */
function forksPath(text: string): boolean {
  if (!text.includes('fork')) return false;
  const given = new Set(Array.from(text.matchAll(forkCall), ([, argument = '']) => argument));
  return [...given].some((argument) => pathArgument.test(argument) || isAssignedText(text, argument));
}

function isAssignedText(text: string, name: string): boolean {
  const assignment = `(?<![\\w$.])${name.replace(/[$.]/g, '\\$&')}\\s*(?::[^=;]{0,200})?=(?![=>])[^;]{0,300}?["'\`]`;
  return new RegExp(assignment).test(text);
}
