import { describe, expect, test } from 'vitest';
import { walkTree } from '../../../src/reach/analysis/tree.js';
import { frameworksOf } from '../../../src/reach/knowledge/knowledge.js';
import { javascriptReader } from '../../../src/reach/languages/javascript/reader.js';
import { folderWith } from '../folder.js';

/** A file that each framework loads, for each of its rows. */
const cases: Readonly<Record<string, readonly string[]>> = {
  AdonisJS: ['start/routes'],
  Angular: ['src/main.server'],
  Architect: ['src/http/get-index/index'],
  Astro: ['src/pages/index', 'src/actions/index', 'src/live.config'],
  'AWS Amplify': ['amplify/data/resource'],
  'Azure Functions': ['src/functions/hello'],
  'Cloudflare Pages': ['functions/api/hello'],
  'Create React App': ['src/setupProxy'],
  Directus: ['extensions/hooks/index'],
  Docusaurus: ['src/theme/Footer'],
  Egg: ['config/plugin'],
  Electron: ['electron/preload'],
  Ember: ['addon/helpers/a'],
  Expo: ['App'],
  Fastify: ['plugins/support'],
  Gatsby: ['gatsby-browser', 'src/api/hello'],
  Gridsome: ['gridsome.server'],
  Hexo: ['themes/a/scripts/b'],
  Hubot: ['scripts/hello'],
  Keystone: ['keystone'],
  LoopBack: ['common/models/a'],
  Medusa: ['medusa-config'],
  Meteor: ['imports-of/server/a'],
  'Module federation': ['src/bootstrap'],
  Moleculer: ['moleculer.config'],
  NativeScript: ['app/app'],
  NestJS: ['src/main'],
  'Next.js': ['pages/index', 'app/page', 'proxy'],
  Nitro: ['routes/hello'],
  Nuxt: ['layouts/default', 'shared/utils/a'],
  Payload: ['src/payload.config'],
  Quasar: ['src-electron/electron-main'],
  Raycast: ['src/command'],
  'React Native': ['index.ios'],
  RedwoodJS: ['api/src/graphql/a'],
  Remix: ['app/routes/a'],
  Sails: ['tasks/register/a'],
  Sanity: ['sanity.cli'],
  'Serverless functions': ['netlify/functions/a'],
  SolidStart: ['src/entry-server'],
  Stencil: ['src/components/a/a'],
  Strapi: ['src/api/a/routes/a'],
  SvelteKit: ['src/hooks.server', 'src/routes/a/index', 'src/routes/a/+page', 'src/instrumentation.server'],
  'TanStack Start': ['src/routeTree.gen'],
  Umi: ['src/access'],
  'Vercel functions': ['api/hello'],
  Vike: ['renderer/a'],
  VitePress: ['docs/.vitepress/theme/index'],
  'Vue CLI': ['src/background'],
  WXT: ['entrypoints/background'],
};

/** What loads a file of an application with these packages, by their versions; null: the lock file does not say it. */
async function loaderOf(stem: string, packages: Readonly<Record<string, string | null>>): Promise<string[]> {
  const dependencies = Object.fromEntries(Object.keys(packages).map((name) => [name, '*']));
  const meteor: Record<string, string> = 'meteor' in packages ? { '.meteor/release': 'METEOR@3' } : {};
  const files = { 'package.json': JSON.stringify({ dependencies }), [`${stem}.js`]: '', ...meteor };
  const known = Object.entries(packages).flatMap(([name, version]) =>
    version === null ? [] : [{ ecosystem: 'npm' as const, name, version }],
  );
  const { entries } = await javascriptReader.analyze(await walkTree(folderWith(files)), known, { entries: [] });
  return entries.flatMap(({ file, why }) =>
    file === `${stem}.js` && why.endsWith(' loads it') ? [why.slice(0, -9)] : [],
  );
}

describe('files that a framework loads because of their path', () => {
  test('each framework has a case', () => {
    expect(
      frameworksOf()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(Object.keys(cases).sort());
  });

  test.each(frameworksOf())('$name, for each of its rows', async ({ name, packages, loads, anyCase }) => {
    const paths = cases[name] ?? [];
    for (const { files, routes } of loads) {
      const row = new RegExp(`^(?:${[...files, ...routes].join('|')})$`, anyCase ? 'i' : '');
      expect(paths.filter((path) => row.test(path))).not.toEqual([]);
    }
    for (const path of paths) {
      expect([path, await loaderOf(path, packages[0] === undefined ? {} : { [packages[0]]: null })]).toEqual([
        path,
        [name],
      ]);
    }
    expect(packages.length === 0 ? [] : await loaderOf(paths[0] ?? '', { react: null })).toEqual([]);
  });

  test.each([
    ['next', 'app/users/page', ['13.0.0', '13.0.1-canary.2', '16.0.0'], ['12.3.4', '9.0.0']],
    ['next', 'proxy', ['16.0.0', '16.0.0-beta.0'], ['15.5.0']],
    ['next', 'pages/index', ['9.0.0', '16.0.0'], []],
    ['nuxt', 'shared/utils/a', ['3.14.0', '4.0.0'], ['3.13.2', '2.18.1']],
    ['gatsby', 'src/api/hello', ['3.7.0', '5.0.0'], ['2.32.13']],
    ['astro', 'src/actions/index', ['4.15.0', '4.8.0'], ['4.7.1']],
    ['astro', 'src/live.config', ['5.10.0'], ['4.16.0']],
    ['@sveltejs/kit', 'src/routes/a/index', ['1.0.0-next.300'], ['1.0.0', '2.31.0']],
    ['@sveltejs/kit', 'src/routes/a/+page', ['1.0.0-next.500', '2.0.0'], []],
    ['@sveltejs/kit', 'src/instrumentation.server', ['2.31.0'], ['2.30.0']],
  ])('%s loads %s in some of its versions alone', async (name, path, loading, others) => {
    for (const version of loading)
      expect([version, await loaderOf(path, { [name]: version })]).toHaveProperty('1.length', 1);
    for (const version of others) expect([version, await loaderOf(path, { [name]: version })]).toEqual([version, []]);
    // A version that is not known, or that is none, may be one of those.
    expect(await loaderOf(path, { [name]: null })).toHaveLength(1);
    expect(await loaderOf(path, { [name]: 'workspace' })).toHaveLength(1);
  });

  test('one of several versions in a tree is enough', async () => {
    const files = { 'package.json': '{"dependencies":{"next":"*"}}', 'proxy.js': '' };
    const known = ['15.0.0', '16.0.0'].map((version) => ({ ecosystem: 'npm' as const, name: 'next', version }));
    const { entries } = await javascriptReader.analyze(await walkTree(folderWith(files)), known, { entries: [] });
    expect(entries).toContainEqual({ file: 'proxy.js', why: 'Next.js loads it' });
  });
});
