import { fileNameOf, folderOf } from '../../tree-path.js';
import { containerFile } from '../project/containers.js';
import type { Manifest } from '../project/manifests.js';

export const styleSheet = /\.(?:css|scss|sass|less|styl|pcss|postcss)$/;
const shellScript = /\.(?:sh|bash|zsh)$/;
const data = /\.(?:json5?|jsonc|ya?ml|toml)$|^\.[\w.-]+rc$|rc$/;
const configurationName =
  /conf|rc(?:\.\w+)?$|^\.|angular|project|nest-cli|nx|lerna|jest|babel|vercel|firebase|serverless|capacitor|ionic|manifest|turbo/i;
const lockFile = /(?:^|[.-])lock(?:[.-]|$)|shrinkwrap|tsbuildinfo/i;

/** Whether a file other than source may name packages: by its name, and by whether its folder has a package.json. */
export function isConfiguration(path: string, manifests: ReadonlyMap<string, Manifest>): boolean {
  const name = fileNameOf(path);
  if (styleSheet.test(name) || shellScript.test(name) || containerFile.test(name)) return true;
  if (!data.test(name) || lockFile.test(name)) return false;
  return manifests.has(folderOf(path)) || configurationName.test(name);
}
