import { inNewerBase, inOldBase } from './base-vulnerabilities.js';
import { trivyReport, type Vulnerability } from './trivy-report.js';

const setting = (created_by: string) => ({ created_by, empty_layer: true });

const inApplication = (name: string, installed: string, fixed: string) => ({
  name,
  installed,
  fixed,
  layer: 4,
  path: `app/node_modules/${name}/package.json`,
});

const ownPackages: readonly Vulnerability[] = [
  {
    ...inApplication('next', '14.1.0', '14.2.25'),
    id: 'CVE-2025-29927',
    title: 'A request header skips the middleware, and so its authorization checks',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  },
  {
    ...inApplication('lodash', '4.17.11', '4.17.12'),
    id: 'CVE-2019-10744',
    title: 'defaultsDeep lets input change the prototype of all objects',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:H',
  },
];

const upgradedSince: Vulnerability = {
  ...inApplication('qs', '6.5.2', '6.5.3'),
  id: 'CVE-2022-24999',
  title: 'A crafted query string changes prototypes and hangs the process',
  vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
};

const shop = {
  name: 'registry.example.com/shop/web-shop:1.8',
  debian: '11.5',
  history: [
    { created_by: 'ADD debian-bullseye.tar.xz /' },
    { created_by: 'RUN apt-get install -y build tools and libraries' },
    setting('ENV NODE_VERSION=18.12.1'),
    { created_by: 'RUN install node' },
    setting('CMD ["node"]'),
    setting('WORKDIR /app'),
    { created_by: 'COPY package.json package-lock.json ./' },
    { created_by: 'RUN npm ci --omit=dev' },
    { created_by: 'COPY dist dist' },
    setting('CMD ["node" "dist/server.js"]'),
  ],
  system: inOldBase,
};

/** The shop's image on an old base, scanned before and after an upgrade, and a newer base that it could use instead. */
export const imageScans = {
  shopFirst: trivyReport('a', { ...shop, application: [...ownPackages, upgradedSince] }),
  shopSecond: trivyReport('a', { ...shop, application: ownPackages }),
  newerBase: trivyReport('b', {
    name: 'node:20.18.1-bookworm-slim',
    debian: '12.8',
    history: [
      { created_by: 'ADD debian-bookworm.tar.xz /' },
      setting('ENV NODE_VERSION=20.18.1'),
      { created_by: 'RUN install node' },
      setting('CMD ["node"]'),
    ],
    system: inNewerBase,
    application: [],
  }),
};

/** What the shop's image is built from. */
export const shopDockerfile = {
  path: 'Dockerfile',
  text: `FROM node:18.12.1-bullseye
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
COPY dist dist
CMD ["node", "dist/server.js"]
`,
};
