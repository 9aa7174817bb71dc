import { expect, test } from 'vitest';
import { repositoryName } from '../../../src/reach/sync/repository-name.js';

test.each<[string, string]>([
  ['https://github.com/acme/shop.git', 'github.com/acme/shop'],
  ['https://github.com/acme/shop', 'github.com/acme/shop'],
  ['https://www.GitHub.com/Acme/Shop/', 'github.com/acme/shop'],
  ['http://github.com:80/acme/shop', 'github.com/acme/shop'],
  ['git://github.com/acme/shop.git', 'github.com/acme/shop'],
  ['git+ssh://git@github.com/acme/shop.git', 'github.com/acme/shop'],
  ['ssh://git@ssh.github.com:443/acme/shop.git', 'github.com/acme/shop'],
  ['git@github.com:acme/shop.git', 'github.com/acme/shop'],
  ['github.com:acme/shop', 'github.com/acme/shop'],
  ['https://gitlab-ci-token:glcbt-64_s3cret@gitlab.com/group/sub/shop.git', 'gitlab.com/group/sub/shop'],
  ['https://x-access-token:a@b@example.org/acme/shop?token=s3cret#s3cret', 'example.org/acme/shop'],
  ['ssh://git@git.acme.example:7999/shop/web.git', 'git.acme.example/shop/web'],
  ['https://git.acme.example/scm/shop/web.git', 'git.acme.example/shop/web'],
  ['https://acme@dev.azure.com/acme/My%20Shop/_git/web', 'dev.azure.com/acme/my-shop/web'],
  ['git@ssh.dev.azure.com:v3/acme/My%20Shop/web', 'dev.azure.com/acme/my-shop/web'],
  ['ssh://[::1]:22/srv/shop.git', '-1-/srv/shop'],
  ['/srv/git/secret-customer/shop.git', 'shop'],
  ['file:///srv/git/shop.git', 'shop'],
  ['../shop', 'shop'],
  ['C:\\repos\\shop', 'shop'],
  ['https://example.org/%E0%A4%A/shop', 'example.org/-e0-a4-a/shop'],
  ['https://example.org/ac\u001bme/shop', 'example.org/ac-me/shop'],
])('%s is %s', (remote, name) => {
  expect(repositoryName(remote)).toBe(name);
  expect(repositoryName(remote)).not.toContain('s3cret');
});

test.each(['', ' ', '/', '..', 'https://example.org', 'https://example.org/.git', '.git'])(
  '%j names none',
  (remote) => {
    expect(repositoryName(remote)).toBeNull();
  },
);
