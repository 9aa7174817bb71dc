import { expect, test } from 'vitest';
import { isProductionPath } from '../../../src/service/scanners/production-path.js';

test.each([
  'src/app.ts',
  'app/routes/contest.js',
  'lib/latest/index.js',
  'server.py',
  'cmd/server/main.go',
  'src/main/java/com/example/App.java',
  'packages/api/src/tools/index.ts',
  'src/attestation.ts',
])('%s is production code', (path) => expect(isProductionPath(path)).toBe(true));

test.each([
  'test/app.test.ts',
  'src/__tests__/app.ts',
  'src/app.spec.ts',
  'pkg/server_test.go',
  'tests/unit/test_app.py',
  'app/test_models.py',
  'conftest.py',
  'src/test/java/com/example/AppTest.java',
  'src/AppTests.cs',
  'spec/models/user_spec.rb',
  'node_modules/qs/lib/index.js',
  'third_party/zlib/zlib.c',
  'vendor/github.com/a/b.go',
  'docs/conf.py',
  'examples/basic.ts',
  'scripts/release.sh',
  '.github/actions/a.js',
  null,
])('%s is not', (path) => expect(isProductionPath(path)).toBe(false));
