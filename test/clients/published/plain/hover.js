// Prints what an editor shows of words of frontend.ts, by the language service of a TypeScript that has an API.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const [compiler, ...words] = process.argv.slice(2);
const { default: ts } = await import(`${compiler}/lib/typescript.js`);
const file = path.resolve('frontend.ts');
const text = readFileSync(file, 'utf8');
const options = { strict: true, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
const service = ts.createLanguageService({
  getCompilationSettings: () => ({ ...options, target: ts.ScriptTarget.ES2022, types: [] }),
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot: (name) =>
    ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(name)) : undefined,
  getCurrentDirectory: () => process.cwd(),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  ...{ fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, directoryExists: ts.sys.directoryExists },
});
const shown = words.map((word) => {
  const at = text.indexOf(word) + word.lastIndexOf('.') + 1;
  const { displayParts, documentation } = service.getQuickInfoAtPosition(file, at);
  const definition = service.getDefinitionAtPosition(file, at)?.[0];
  return {
    shown: ts.displayPartsToString(displayParts),
    words: ts.displayPartsToString(documentation),
    definedIn: path.basename(definition?.fileName ?? ''),
  };
});
console.log(JSON.stringify(shown));
