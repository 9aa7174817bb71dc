import { Tip } from '../tip/tip.js';
import { exact, relative } from './format.js';

/** A moment: how long ago in the text, the exact time in the reader's zone on hover and focus. */
export function Time({ at }: { readonly at: Date }) {
  return (
    <Tip text={exact(at)}>
      <time dateTime={at.toISOString()}>{relative(at, new Date())}</time>
    </Tip>
  );
}
