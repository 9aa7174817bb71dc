const length = 64;
const tail = ' in a place that an outsider reaches by a request of their own making';

/** Pads a title to one length for all: the size of an answer then does not depend on which findings are worst. */
export function titleOf(text: string): string {
  return `${text}${tail}`.slice(0, length);
}
