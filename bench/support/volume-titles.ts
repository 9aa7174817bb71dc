const length = 64;
const tail = ' in a place that an outsider reaches by a request of their own making';

/** A title of the one length that all have: answers then differ in size by their figures, not by what is worst. */
export function titleOf(text: string): string {
  return `${text}${tail}`.slice(0, length);
}
