/**
 * Modules that a build tool or a runtime makes up: no file and no package of the registry answers to them. Virtual modules of
 * Vite's plugins, Nuxt, SvelteKit, Astro, Docusaurus, and those that Electron, VS Code and other hosts provide.
 */
const virtualModule =
  /^(?:\0|virtual:|~icons\/|~build|astro:|cloudflare:|bun:|jsr:|ext:|#(?:imports|app|build|components|internal)(?:\/|$)|\$(?:app|env|service-worker)(?:\/|$)|@theme(?:-original|-init)?\/|@generated\/|(?:electron|vscode|atom|k6|original-fs)(?:\/|$)|uno\.css$|virtual-)/;

export function isVirtualModule(specifier: string): boolean {
  return virtualModule.test(specifier);
}

/** Files that a bundler includes and that hold no code: style sheets, images, fonts, texts, data; and types that a tool writes. */
const noCode =
  /\.(?:css|scss|sass|less|styl|stylus|pcss|postcss|svg|png|jpe?g|gif|webp|avif|ico|bmp|tiff?|woff2?|ttf|otf|eot|mp[34]|m4a|webm|ogg|wav|flac|pdf|json5?|jsonc|ya?ml|toml|xml|csv|tsv|txt|md|html?|graphqls?|gql|proto|sql|wasm|node|glsl|vert|frag|wgsl|hbs|ejs|pug|po|ftl|webmanifest|zip|gz|bin|d\.[mc]?ts)$/i;
const generatedTypes = /(?:^|\/)(?:\$types|\+types(?:\/.*)?)(?:\.[jt]s)?$/;
const assetQuery = /\?(?:url|raw|inline|asset|nodeModule)\b/;

/** Whether a specifier means something that cannot import a package. */
export function namesNoCode(specifier: string): boolean {
  const path = specifier.replace(/[?#].*$/s, '');
  return noCode.test(path) || generatedTypes.test(path) || assetQuery.test(specifier);
}
