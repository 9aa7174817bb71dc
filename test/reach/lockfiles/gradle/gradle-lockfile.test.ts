import { expect, test } from 'vitest';
import { readFrom, scopes } from '../reading.js';

test('gradle.lockfile: what only tests and annotation processors have is for development', async () => {
  const read = await readFrom({
    'gradle.lockfile':
      '# comment\ncom.a:b:1.0.0=compileClasspath,testCompileClasspath\norg.junit:junit:4.13=testRuntimeClasspath\norg.p:p:1=annotationProcessor\nempty=kapt\n',
  });
  expect(scopes(read)).toEqual({
    'com.a:b@1.0.0': 'runtime',
    'org.junit:junit@4.13': 'development',
    'org.p:p@1': 'development',
  });
  expect(read.packages.every(({ direct }) => direct === null)).toBe(true);
  await expect(readFrom({ 'gradle.lockfile': 'com.a:b=c' })).rejects.toThrow('line 1: expected group:artifact:version');
});
