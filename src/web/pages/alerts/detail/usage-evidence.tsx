import { counted } from '../../../components/format/format.js';
import { CodeLink } from '../../../components/link/link.js';
import { Fact, Facts } from '../../../components/page/page.js';
import { Time } from '../../../components/tip/tip.js';
import { confidenceWords, symbolWords, usageMeanings, usageWords } from '../../../words.js';
import styles from './detail.module.css';
import { Part, type Verdict } from './detail-part.js';
import { purlName } from './purl-name.js';

interface UsageEvidenceProps {
  readonly usage: Verdict['evidence']['usage'];
  readonly repo: string | null;
}

/** The first layer of evidence: how the project uses the package, and what the search covered. */
export function UsageEvidence({ usage, repo }: UsageEvidenceProps) {
  const {
    class: usageClass,
    confidence,
    symbols,
    vulnerable_symbols,
    sites,
    site_count,
    chain,
    paths,
    searched,
    gaps,
  } = usage;
  return (
    <Part title="1 · Usage">
      <p>
        <strong>{usageWords[usageClass]}</strong>, {confidenceWords[confidence]}. {usageMeanings[usageClass]}
      </p>
      <Facts>
        {symbols !== null && (
          <Fact name="Vulnerable functions">
            {vulnerable_symbols.length > 0 && (
              <>
                <code>{vulnerable_symbols.join(', ')}</code>:{' '}
              </>
            )}
            {symbolWords[symbols]}
          </Fact>
        )}
        <Fact name="Imported in">
          {sites.length === 0 ? (
            'no import was found'
          ) : (
            <ul className={styles.places}>
              {sites.map((site) => (
                <li key={`${site.file}:${site.line}:${site.column}`}>
                  <CodeLink repo={repo} file={site.file} line={site.line} />
                  {site.symbols.length > 0 && <span> uses {site.symbols.join(', ')}</span>}
                </li>
              ))}
              {site_count > sites.length && <li>and {counted(site_count - sites.length, 'more place')}</li>}
            </ul>
          )}
        </Fact>
        {chain.length > 0 && (
          <Fact name="Loaded by">
            <ol className={styles.chain}>
              {chain.map(({ purl, file, line }) => (
                <li key={`${purl}:${file}`}>
                  {purl === null ? (
                    <CodeLink repo={repo} file={file} line={line} />
                  ) : (
                    <InPackage {...{ purl, file, line }} />
                  )}
                </li>
              ))}
            </ol>
          </Fact>
        )}
        {paths.length > 0 && (
          <Fact name="Brought in by">
            <ul className={styles.places}>
              {paths.map((path) => (
                <li key={path.join()}>{path.map(purlName).join(' → ')}</li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name="Search">
          {searchWords(searched)}
          {gaps.length > 0 && (
            <ul className={styles.gaps} aria-label="What was not looked at">
              {gaps.map((gap) => (
                <li key={gap}>{gap}</li>
              ))}
            </ul>
          )}
        </Fact>
        <Fact name="Reported">
          <Time at={usage.reported_at} /> by {usage.analyser}
        </Fact>
      </Facts>
    </Part>
  );
}

function InPackage({
  purl,
  file,
  line,
}: {
  readonly purl: string;
  readonly file: string;
  readonly line: number | null;
}) {
  return (
    <>
      <strong>{purlName(purl)}</strong> <code>{line === null ? file : `${file}:${line}`}</code>
    </>
  );
}

function searchWords(searched: boolean | null): string {
  if (searched === null) return 'The report does not say what it covers.';
  return searched ? 'Could have found any use.' : 'Could have missed a use:';
}
