import { readdirSync, readFileSync } from 'node:fs';
import { dataFile } from '../../support/data.js';

/** A JSON object of unknown content. */
export type Json = Readonly<Record<string, unknown>>;

/** Every JSON file under the CycloneDX examples, by its path there. */
export function sbomFiles(): string[] {
  const inFolder = (folder: string) => readdirSync(dataFile(`cyclonedx/${folder}`)).map((name) => `${folder}${name}`);
  return [...inFolder(''), ...inFolder('vex-use-cases/')].filter((name) => name.endsWith('.json')).sort();
}

export function readSbomFile(name: string): Json {
  return JSON.parse(readFileSync(dataFile(`cyclonedx/${name}`), 'utf8'));
}

/** An independent count: package URLs by their text alone, wherever they stand in `components`. */
export function countPurls(document: unknown): { readonly distinct: number; readonly components: number } {
  const known = /"purl": ?"(pkg:(?:npm|pypi|golang|cargo|maven|gem|nuget|composer)\/[^"?#]+)/g;
  const components: unknown = JSON.parse(JSON.stringify(document))['components'];
  const text = JSON.stringify(components) ?? '';
  const purls = [...text.matchAll(known)].map(([, purl]) => purl);
  return { distinct: new Set(purls).size, components: text.split('"purl":').length - 1 };
}
