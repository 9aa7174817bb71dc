/**
 * Whether a text is one word of any shell, and no option. People paste commands, and names and versions come from stacks that others
 * wrote. No registry that has commands here has other names.
 */
export function isShellWord(text: string): boolean {
  return /^[\w@~][\w@~.+/-]*$/.test(text);
}
