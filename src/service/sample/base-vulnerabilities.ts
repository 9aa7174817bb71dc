import type { Vulnerability } from './trivy-report.js';

const zlib = {
  id: 'CVE-2023-45853',
  name: 'zlib1g',
  title: 'MiniZip writes beyond its buffer for long names in an archive',
  vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  layer: 0,
} as const;
const perl = {
  id: 'CVE-2023-31484',
  name: 'perl-base',
  title: 'CPAN.pm downloads without checking certificates',
  vector: 'AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H',
  layer: 0,
} as const;
const gpgv = {
  id: 'CVE-2022-3219',
  name: 'gpgv',
  title: 'GnuPG can be kept busy with a small crafted packet',
  vector: 'AV:L/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:L',
  layer: 0,
} as const;

/** Vulnerabilities of Debian’s packages in the shop's present base image. */
export const inOldBase: readonly Vulnerability[] = [
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
    layer: 0,
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
export const inNewerBase: readonly Vulnerability[] = [
  { ...zlib, installed: '1:1.2.13.dfsg-1' },
  { ...perl, installed: '5.36.0-7+deb12u1', fixed: '5.36.0-7+deb12u3' },
  { ...gpgv, installed: '2.2.40-1.1' },
];
