import { sql } from 'kysely';
import type { Ecosystem } from '../../shared/packages/ecosystem.js';
import { formatCount } from '../../shared/text/number-text.js';
import type { Transaction } from '../db/database.js';
import { inScope, ofLivingProject, type Scope } from '../db/scope.js';

/** What comes with a runtime, so that no lock file need list it: its version is that of the runtime. */
const runtimes: Readonly<Partial<Record<Ecosystem, { readonly runtime: string; readonly packages: RegExp }>>> = {
  Go: { runtime: 'Go', packages: /^(?:stdlib|toolchain)$/ },
  npm: { runtime: 'Node.js', packages: /^(?:npm|corepack|undici)$/ },
  PyPI: { runtime: 'Python', packages: /^(?:pip|setuptools)$/ },
  'crates.io': { runtime: 'Rust', packages: /^(?:std|core|alloc|cargo|rustdoc)$/ },
  // The assemblies of its shared frameworks, which advisories name as packages.
  NuGet: {
    runtime: '.NET',
    packages: /^(?:system|microsoft\.(?:netcore|aspnetcore|windowsdesktop|extensions))\./,
  },
  // Default and bundled gems (https://stdgems.org).
  RubyGems: {
    runtime: 'Ruby',
    packages: new RegExp(
      `^(?:${[
        'base64|benchmark|bigdecimal|bundler|cgi|csv|date|debug|delegate|did_you_mean|digest|drb|english|erb|error_highlight|etc',
        'fcntl|fiddle|fileutils|find|forwardable|getoptlong|io-console|io-nonblock|io-wait|ipaddr|irb|json|logger|matrix|minitest',
        'mutex_m|net-ftp|net-http|net-imap|net-pop|net-protocol|net-smtp|nkf|observer|open-uri|open3|openssl|optparse|ostruct',
        'pathname|power_assert|pp|prettyprint|prime|prism|pstore|psych|racc|rake|rbs|rdoc|readline|readline-ext|reline|repl_type_completor',
        'resolv|resolv-replace|rexml|rinda|rss|ruby2_keywords|rubygems-update|securerandom|set|shellwords|singleton|stringio',
        'strscan|syntax_suggest|syslog|tempfile|test-unit|time|timeout|tmpdir|tsort|typeprof|un|uri|weakref|win32ole|yaml|zlib',
      ].join('|')})$`,
    ),
  },
};

interface Named {
  readonly ecosystem: Ecosystem;
  readonly package_name: string;
}

/** Gaps for what comes with a runtime that sources use, and whose version they do not state. */
export async function runtimeGaps(tx: Transaction, scope: Scope, packages: readonly Named[]): Promise<string[]> {
  const gaps: string[] = [];
  for (const { ecosystem, package_name } of packages) {
    const known = runtimes[ecosystem];
    if (known === undefined || !known.packages.test(package_name)) continue;
    const sources = await sourcesWithout(tx, scope, { ecosystem, package_name });
    if (sources === 0) continue;
    const whose = sources === 1 ? '1 source does' : `${formatCount(sources)} sources do`;
    gaps.push(`${package_name} comes with ${known.runtime} itself, whose version ${whose} not state`);
  }
  return gaps;
}

/** Sources with packages of the ecosystem that do not list this one. */
async function sourcesWithout(tx: Transaction, scope: Scope, { ecosystem, package_name }: Named): Promise<number> {
  const { rows } = await sql<{ sources: number }>`
    select count(*)::integer as sources from (
      select distinct project_id, source from tech_stack_items as item
      where ${inScope(scope, 'item')} and ecosystem = ${ecosystem} and ${ofLivingProject(scope)}
      except
      select project_id, source from tech_stack_items as item
      where ${inScope(scope, 'item')} and ecosystem = ${ecosystem} and package_name = ${package_name}
    ) as lacking`.execute(tx);
  return rows[0]?.sources ?? 0;
}
