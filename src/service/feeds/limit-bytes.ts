import { Transform } from 'node:stream';

/** Passes bytes on up to a limit. One more byte ends the stream with the error that `onExceeded` makes. */
export function limitBytes(maxBytes: number, onExceeded: () => Error): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(onExceeded());
      else done(null, chunk);
    },
  });
}
