/** A file of the user could not be read or written; the message says what to do. */
export class FileError extends Error {}
