import { wordSet } from '../../word-set.js';
import type { PlacedString } from './file-strings.js';

/**
 * Fields by which the configuration of a framework names what goes into the application, by the name of the file
 * (https://nuxt.com/docs/api/nuxt-config, https://docusaurus.io/docs/api/docusaurus-config).
 */
export function loadingFields(name: string): ReadonlySet<string> | null {
  if (/^nuxt\.config\.[cm]?[jt]s$/.test(name)) return nuxtFields;
  return /^docusaurus\.config\.[cm]?[jt]s$/.test(name) ? docusaurusFields : null;
}

const nuxtFields = wordSet('modules buildModules css');
const docusaurusFields = wordSet('presets plugins themes');

/** The string, marked as loaded where its field is one of these. */
export function loadedBy(fields: ReadonlySet<string>, string: PlacedString): PlacedString {
  return string.field !== undefined && fields.has(string.field) ? { ...string, loads: true } : string;
}
