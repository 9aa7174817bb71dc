const bundle = /\\?([A-Z]\w{0,100}(?:\\\w{1,100}){0,12})::class\s{0,20}=>\s{0,20}\[([^\]]{0,400})\]/g;
const environment = /["'](\w{1,100})["']\s{0,20}=>\s{0,20}(true|false)/g;

/**
 * The bundles of a Symfony application that config/bundles.php registers for development and tests alone
 * (https://symfony.com/doc/current/bundles.html).
 */
export function bundlesForDevelopment(text: string): string[] {
  return [...text.matchAll(bundle)].flatMap(([, name = '', list = '']) => {
    const registered = [...list.matchAll(environment)].flatMap(([, each, value]) => (value === 'true' ? [each] : []));
    // What is not understood may be production.
    const isPlain = list.replaceAll(environment, '').replaceAll(/[\s,]/g, '') === '';
    return isPlain && registered.length > 0 && registered.every((each) => each === 'dev' || each === 'test')
      ? [name]
      : [];
  });
}
