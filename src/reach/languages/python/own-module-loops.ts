/**
 * A loop over the modules in the package's own folder, each with the package's own name in front:
 * `for _, name, _ in pkgutil.walk_packages(__path__, prefix=__name__ + "."):`
 * (https://docs.python.org/3/library/pkgutil.html#pkgutil.walk_packages).
 */
const loop =
  /\bfor[ \t]+([^\n]{1,100}?)[ \t]+in[ \t]+(?:pkgutil[ \t]*\.[ \t]*)?(?:walk_packages|iter_modules)[ \t]*\(/g;
const ownPath = /^\s*(?:path[ \t]*=[ \t]*)?__path__\s*,/;
const ownPrefix =
  /,\s*(?:prefix[ \t]*=[ \t]*)?(?:(?:__name__|__package__)[ \t]*\+[ \t]*["']\.["']|f["']\{(?:__name__|__package__)\}\.["'])\s*[,)]/;
const variable = /([A-Za-z_]\w*)[ \t]*(?:\.[ \t]*name[ \t]*)?[,)]/y;

/** What may put modules of other packages below the package's name. */
const otherPaths = /\bextend_path\b|\b__path__[ \t]*(?:\+?=(?!=)|\.)|\bdeclare_namespace\b/;

/** Characters of a loop's arguments that are looked at, and of the loop's body before the import. */
const maxArguments = 300;
const maxBody = 2000;

/**
 * Whether the name that an import asks for is one of the package's own modules, whatever a run finds: a loop over its folder
 * gives it, and nothing else sets it between the two.
 *
 * @param call where the import is, `start` where its argument begins
 */
export function isOwnModule(text: string, code: string, call: number, start: number): boolean {
  variable.lastIndex = start;
  const name = variable.exec(code)?.[1];
  if (name === undefined || otherPaths.test(code)) return false;
  const from = Math.max(0, call - maxBody);
  const [last] = [...code.slice(from, call).matchAll(loop)].slice(-1);
  if (last === undefined) return false;
  const [whole, targets = ''] = last;
  const opened = from + last.index + whole.length;
  const parts = text.slice(opened, opened + maxArguments);
  if (!targets.split(/\W+/).includes(name) || !ownPath.test(parts) || !ownPrefix.test(parts)) return false;
  const body = code.slice(opened, call);
  const isSetAgain = new RegExp(
    `(?<![\\w.=])${name}[ \\t]*(?::?=(?!=)|[-+|&]=|,)|\\b(?:for|as|def|lambda|import)\\b[^\\n]*\\b${name}\\b`,
  );
  // The import stands in the loop: no line between them is as far left as the loop.
  const indent =
    /[ \t]*$/.exec(code.slice(code.lastIndexOf('\n', from + last.index) + 1, from + last.index))?.[0] ?? '';
  const lines = body
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '' && !/^[)\]}]/.test(line.trim()));
  const isInside = lines.every((line) => line.length - line.trimStart().length > indent.length || line.trim() === ')');
  return isInside && !isSetAgain.test(body.slice(body.indexOf('):') + 1));
}
