import type { ParseResult } from 'oxc-parser';
import type { SourceKind } from '../source-kinds.js';
import { isNode, type SyntaxNode } from '../syntax-tree/nodes.js';
import { nestsTooDeeply } from './nesting.js';
import { parse } from './parser.js';

/** A script that several readings share. It is parsed once, and only if one of them asks: parsing is most of the work. */
export class Script {
  readonly text: string;
  readonly kind: SourceKind;
  #parsed: ParseResult | null | undefined;

  constructor(text: string, kind: SourceKind) {
    this.text = text;
    this.kind = kind;
  }

  /** Null where the script cannot be parsed, or nests too deeply for the parser. */
  get parsed(): ParseResult | null {
    if (this.#parsed === undefined) this.#parsed = nestsTooDeeply(this.text) ? null : parse(this.text, this.kind);
    return this.#parsed;
  }

  /** The syntax tree, null where there is none. */
  get program(): SyntaxNode | null {
    const program: unknown = this.parsed?.program;
    return isNode(program) ? program : null;
  }
}
