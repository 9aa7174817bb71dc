import type { Ecosystem } from '../../shared/packages/ecosystem.js';

/**
 * Packages that many others expect as a peer and that load none of them by a name of their own: those import the host, or are
 * imported beside it, or stand in a configuration. Their code has no import of a computed name, or only of what a
 * configuration or the program names (react, vue, the compiler of TypeScript). A host that looks for plugins by how they are
 * called (eslint, babel, karma, grunt, an object mapper for its drivers) is not among them, nor is one whose commands do.
 */
const silent: Readonly<Partial<Record<Ecosystem, readonly RegExp[]>>> = {
  npm: [
    /^(?:react|react-dom|react-is|react-redux|redux|preact|vue|vue-router|pinia|vuex|svelte|solid-js|lit|lit-html|alpinejs|jquery|backbone)$/,
    /^(?:rxjs|zone\.js|tslib|typescript|graphql|zod|yup|joi|ajv|immer|mobx|lodash|date-fns|moment|dayjs|three|d3|chart\.js|echarts|leaflet|ol|yjs|prosemirror-[\w-]+|i18next|react-i18next)$/,
    /^@angular\/(?:animations|cdk|common|core|forms|material|platform-browser|platform-browser-dynamic|router)$/,
    /^@(?:emotion\/(?:react|styled)|mui\/material|chakra-ui\/react|tanstack\/(?:react|vue|svelte)-query|radix-ui\/[\w-]+|tiptap\/(?:core|pm)|codemirror\/[\w-]+|types\/[\w-]+|opentelemetry\/api)$/,
  ],
};

/** Whether a package is known to load no other by the name that the other has as its plugin. */
export function loadsNoPlugins(ecosystem: Ecosystem, name: string): boolean {
  return silent[ecosystem]?.some((pattern) => pattern.test(name)) === true;
}
