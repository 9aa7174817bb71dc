import type { Manifest } from '../manifests.js';
import { folderOf, nameIn } from '../tree-paths.js';

export const style = /\.(?:css|scss|sass|less|styl|pcss|postcss)$/;
export const page = /\.(?:html?|hbs|handlebars|ejs|pug|jade|twig|liquid|njk)$/;
export const container =
  /^(?:Dockerfile|Containerfile)(?:\..+)?$|\.dockerfile$|^Procfile$|^(?:docker-)?compose(?:\..+)?\.ya?ml$/i;
const data = /\.(?:json5?|jsonc|ya?ml|toml)$|^\.[\w.-]+rc$|rc$/;
const namedConfiguration =
  /conf|rc(?:\.\w+)?$|^\.|angular|project|nest-cli|nx|lerna|jest|babel|vercel|firebase|serverless|capacitor|ionic|manifest|turbo/i;
const lock = /(?:^|[.-])lock(?:[.-]|$)|shrinkwrap|tsbuildinfo/i;

/** Whether a file that is no source may name packages: by its name, and by whether a package.json lies beside it. */
export function isConfiguration(path: string, manifests: ReadonlyMap<string, Manifest>): boolean {
  const name = nameIn(path);
  if (style.test(name) || page.test(name) || container.test(name)) return true;
  if (!data.test(name) || lock.test(name)) return false;
  return manifests.has(folderOf(path)) || namedConfiguration.test(name);
}
