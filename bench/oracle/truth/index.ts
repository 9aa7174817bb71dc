import type { Ecosystem } from '../../../src/shared/packages/ecosystem.js';
import { goTruth } from './go.js';
import { javaTruth } from './java.js';
import { npmTruth } from './npm.js';
import { nugetTruth } from './nuget.js';
import { phpTruth } from './php.js';
import { pythonTruth } from './python.js';
import { rubyTruth } from './ruby.js';
import { rustTruth } from './rust.js';
import type { Listed, Truth, TruthFinder } from './truth.js';

const finders: Readonly<Partial<Record<Ecosystem, TruthFinder>>> = {
  npm: npmTruth,
  PyPI: pythonTruth,
  Go: goTruth,
  'crates.io': rustTruth,
  Maven: javaTruth,
  RubyGems: rubyTruth,
  NuGet: nugetTruth,
  Packagist: phpTruth,
};

/** Null for an ecosystem whose truth cannot be had on this machine. */
export async function findTruth(ecosystem: Ecosystem, folder: string, listed: Listed): Promise<Truth | null> {
  return (await finders[ecosystem]?.(folder, listed)) ?? null;
}
