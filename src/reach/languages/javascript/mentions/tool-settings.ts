import { listsOf } from '../../../knowledge/knowledge.js';
import { fileNameOf } from '../../tree-path.js';

const listed = listsOf('javascript/tool-files');

/**
 * Configurations of programs that check, test or release, and that run no part of what is built: whatever they name, they
 * load for themselves. Not those of compilers and bundlers, whose settings also say what goes into a bundle.
 */
const checkingFile = new RegExp(`^\\.?(?:${listed('checkingFiles').join('|')})(?:rc|[.-]|$)`, 'i');

/** Sections of package.json with settings of such programs. */
const checkingSections = new Set(listed('checkingSections'));

/** Whether a file holds settings of a program that only checks, tests or releases. */
export function isCheckingFile(path: string): boolean {
  return checkingFile.test(fileNameOf(path)) || /(?:^|\/)\.husky\//.test(path);
}

export function isCheckingSection(section: string): boolean {
  return checkingSections.has(section);
}
