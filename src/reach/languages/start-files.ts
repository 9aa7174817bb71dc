import { listsOf } from '../knowledge/knowledge.js';
import { roleByPath } from './roles.js';
import type { SourceTree } from './source-tree.js';

/** A line of a file that is no source and starts programs or sets them up. */
export interface StartLine {
  readonly path: string;
  /** From 1. */
  readonly number: number;
  /** Without comments. */
  readonly text: string;
  readonly role: 'prod' | 'script';
  /** A file of settings names modules with dots; its other words mean nothing. */
  readonly isSettings: boolean;
}

const startFile = new RegExp(`(?:^|/)(?:${listsOf('start-files')('names').join('|')})$`);
/** Folders of s6 and runit: https://skarnet.org/software/s6/servicedir.html */
const serviceFolder = /(?:^|\/)(?:s6-rc\.d|services\.d|cont-init\.d|sv)\/(?:[^/]+\/)*[^/.]+$/;
const settingsFile =
  /(?:^|\/)(?!\.)[^/]*(?:log|setting|conf|celery|alembic|paste)[^/]*\.(?:ya?ml|json|toml|ini|cfg|conf)$/;
const toolFile =
  /(?:^|\/)(?:(?:tox|pytest|mypy|flake8)\.ini|setup\.cfg|tsconfig[^/]*|package(?:-lock)?\.json)$|^\.(?:github|circleci|gitlab)\//;
const toolWords =
  /(?:^|[^a-z])(?:lint|tests?|format|fmt|check|ci|cov|coverage|docs?|bump|bench|mypy|dev-setup)(?:[^a-z]|$)/;

/** Executables of another language than a shell's: a reader of that language reads them. */
const otherShebang = /^#!(?!.*(?:sh|with-contenv|execlineb)\b)/;

/** Lines that name images and copied files, and no program. */
const noProgram = /^\s*(?:COPY|ADD|FROM|LABEL|image:)\s/;

/** Bounds for hostile trees; such files are small and few. */
const maxFiles = 5000;
const maxBytes = 256 * 1024;
const maxLineLength = 4000;

/** The lines of all files of a tree that start programs: containers, process lists, services, shell scripts, and settings. */
export function* startLines(tree: SourceTree): Generator<StartLine> {
  let files = 0;
  for (const { path, bytes } of tree.files) {
    const isStart = startFile.test(path) || serviceFolder.test(path);
    if (!(isStart || settingsFile.test(path)) || toolFile.test(path) || bytes > maxBytes) continue;
    files += 1;
    if (files > maxFiles) return;
    const text = tree.read(path);
    if (text === null || otherShebang.test(text)) continue;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isTool = toolWords.test(name.toLowerCase()) || roleByPath(path, []) === 'test';
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const code = line.slice(0, maxLineLength).replace(/(?:^|\s)#.*$/, '');
      if (code.trim() === '' || noProgram.test(code)) continue;
      yield { path, number: index + 1, text: code, role: isTool ? 'script' : 'prod', isSettings: !isStart };
    }
  }
}
