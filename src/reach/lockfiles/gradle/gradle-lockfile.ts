import { PackageList, type Reading } from '../package-list.js';
import { LockfileError, rejectConflict, type Source } from '../source.js';

/** `group:artifact:version=compileClasspath,runtimeClasspath`. */
const locked = /^([^\s:=]+):([^\s:=]+):([^\s:=]+)=(\S*)$/;

/** Names of configurations for tests, code generation and checks. */
const tooling = /test|annotationprocessor|kapt|ksp|checkstyle|pmd|spotbugs|jacoco|detekt|ktlint|errorprone|lint/i;

/**
 * gradle.lockfile (https://docs.gradle.org/current/userguide/dependency_locking.html): the packages of each
 * configuration. It shows neither what is direct nor what depends on what.
 */
export async function readGradleLockfile(source: Source): Promise<Reading> {
  rejectConflict(source);
  const list = new PackageList(source.file, 'Maven');
  let isLockfile = false;
  for (const [index, line] of source.text.split(/\r?\n/).entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    // Configurations that resolve to nothing.
    if (text.startsWith('empty=')) {
      isLockfile = true;
      continue;
    }
    const [, group, artifact, version, configurations = ''] = locked.exec(text) ?? [];
    if (group === undefined || artifact === undefined) {
      throw new LockfileError(source.file, `line ${index + 1}: expected group:artifact:version=configuration,…`);
    }
    isLockfile = true;
    const names = configurations.split(',').filter((name) => name !== '');
    list.add({
      key: `${group}:${artifact}:${version}`,
      name: `${group}:${artifact}`,
      version,
      scope: names.length > 0 && names.every((name) => tooling.test(name)) ? 'development' : 'runtime',
      direct: null,
    });
  }
  if (!isLockfile) throw new LockfileError(source.file, 'is not a gradle.lockfile: expected a line `empty=`');
  return list.finish();
}
