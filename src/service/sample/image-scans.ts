import { trivyReport, type Vulnerability } from './trivy-report.js';

const zlib = {
  id: 'CVE-2023-45853',
  name: 'zlib1g',
  title: 'MiniZip writes beyond its buffer for long names in an archive',
  vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
} as const;
const perl = {
  id: 'CVE-2023-31484',
  name: 'perl-base',
  title: 'CPAN.pm downloads without checking certificates',
  vector: 'AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H',
} as const;
const gpgv = {
  id: 'CVE-2022-3219',
  name: 'gpgv',
  title: 'GnuPG can be kept busy with a small crafted packet',
  vector: 'AV:L/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:L',
} as const;

/** Vulnerabilities of Debian’s packages in the shop's present base image. */
const inOldBase: readonly Vulnerability[] = [
  { ...zlib, installed: '1:1.2.11.dfsg-2+deb11u2' },
  { ...perl, installed: '5.32.1-4+deb11u2', fixed: '5.32.1-4+deb11u4' },
  { ...gpgv, installed: '2.2.27-2+deb11u2' },
  {
    id: 'CVE-2023-4911',
    name: 'libc6',
    installed: '2.31-13+deb11u5',
    fixed: '2.31-13+deb11u7',
    title: 'Looney Tunables: an environment variable overflows a buffer of the loader',
    vector: 'AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
  },
  {
    id: 'CVE-2023-4863',
    name: 'libwebp6',
    installed: '0.6.1-2.1',
    fixed: '0.6.1-2.1+deb11u2',
    title: 'libwebp writes beyond its buffer on a crafted image',
    vector: 'AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H',
    layer: 1,
  },
  {
    id: 'CVE-2023-38545',
    name: 'curl',
    installed: '7.74.0-1.3+deb11u3',
    fixed: '7.74.0-1.3+deb11u10',
    title: 'curl overflows its buffer on a long host name behind a SOCKS5 proxy',
    vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    layer: 1,
  },
  {
    id: 'CVE-2023-0286',
    name: 'libssl1.1',
    installed: '1.1.1n-0+deb11u3',
    fixed: '1.1.1n-0+deb11u4',
    title: 'OpenSSL mistakes the type of an X.400 address in a certificate',
    vector: 'AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:H',
    layer: 1,
  },
];

/** Vulnerabilities in the base image that it could use instead. */
const inNewerBase: readonly Vulnerability[] = [
  { ...zlib, installed: '1:1.2.13.dfsg-1' },
  { ...perl, installed: '5.36.0-7+deb12u1', fixed: '5.36.0-7+deb12u3' },
  { ...gpgv, installed: '2.2.40-1.1' },
];

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
