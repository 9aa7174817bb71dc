/** A file of a source tree. Its path and size are known; its text is read on demand and not kept. */
export interface TreeFile {
  /** Relative to the tree, `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
}

/** A piece of a text. A word that begins before `end` lies wholly in the piece, if it has at most `maxWordLength` characters. */
export interface TextPiece {
  readonly text: string;
  /** Where the next piece begins, in UTF-16 code units from the start of this one. */
  readonly end: number;
}

/** A source tree, walked once. Nothing outside of it is read, and no symbolic link is followed out of it. */
export interface SourceTree {
  /** Absolute. */
  readonly root: string;
  readonly files: readonly TreeFile[];
  /** The text of a file; null where it is binary, over the size limit or cannot be read. */
  read(path: string): string | null;
  /** Passes all of a file on in pieces, whatever it holds; false where it was not read to its end (see `readPieces`). */
  search(path: string, take: (piece: TextPiece) => boolean): boolean;
}
