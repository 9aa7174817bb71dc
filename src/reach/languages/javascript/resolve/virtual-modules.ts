import { listsOf } from '../../../knowledge/knowledge.js';

const listed = listsOf('javascript/virtual-modules');
const virtualModule = new RegExp(`^(?:${listed('madeUp').join('|')})`);

export function isVirtualModule(specifier: string): boolean {
  return virtualModule.test(specifier);
}

const noCode = new RegExp(`\\.(?:${listed('noCode').join('|')})$`, 'i');
const generatedTypes = /(?:^|\/)(?:\$types|\+types(?:\/.*)?)(?:\.[jt]s)?$/;
const assetQuery = /\?(?:url|raw|inline|asset|nodeModule)\b/;

/** Whether a specifier means something that cannot import a package. */
export function namesNoCode(specifier: string): boolean {
  const path = specifier.replace(/[?#].*$/s, '');
  return noCode.test(path) || generatedTypes.test(path) || assetQuery.test(specifier);
}
