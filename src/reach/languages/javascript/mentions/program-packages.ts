import { packageTable } from '../../package-table.js';

/** Packages whose programs have another name than the package (`bin` of their package.json). */
const programs = packageTable(
  `tsc typescript|tsserver typescript|ng @angular/cli|nest @nestjs/cli|vue @vue/cli
vue-cli-service @vue/cli-service|pm2-runtime pm2|pm2-docker pm2|biome @biomejs/biome|playwright @playwright/test
changeset @changesets/cli|graphql-codegen @graphql-codegen/cli|swc @swc/cli|babel @babel/cli
babel-node @babel/node|commitlint @commitlint/cli|sentry-cli @sentry/cli|tauri @tauri-apps/cli
cap @capacitor/cli|remix @remix-run/dev|remix-serve @remix-run/serve|react-router @react-router/dev
react-router-serve @react-router/serve|wdio @wdio/cli|run-s npm-run-all|run-p npm-run-all
depcruise dependency-cruiser|cyclonedx-npm @cyclonedx/cyclonedx-npm|tsnd ts-node-dev|webpack webpack-cli
grunt grunt-cli|start-storybook @storybook/react|cross-env-shell cross-env
attw @arethetypeswrong/cli|tailwindcss @tailwindcss/cli
api-extractor @microsoft/api-extractor|redocly @redocly/cli|openapi @redocly/cli|nuxi nuxt
mikro-orm @mikro-orm/cli|sequelize sequelize-cli|contentful contentful-cli
eas eas-cli|ionic @ionic/cli`,
  (packageName) => packageName,
);

/** The packages that may provide a program: the known ones, and those whose name follows from the program's name. */
export function packagesOfProgram(program: string): readonly string[] {
  const known = programs.get(program) ?? [];
  return [...known, program, `@${program}/cli`, `${program}-cli`, `@${program}/${program}`];
}
