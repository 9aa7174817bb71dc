import { useQuery } from '@tanstack/react-query';
import type { RouterOutputs } from '../../../client/index.js';
import { api } from '../../api/client.js';
import { CopyText } from '../../components/copy/copy-button.js';
import { ourCommand } from '../../components/copy/our-command.js';
import { Page, Section } from '../../components/page/page.js';
import { Empty, Loaded } from '../../components/state/state.js';
import { Time } from '../../components/time/time.js';
import { feedsAnswer } from './answer.js';
import { Ecosystems } from './ecosystems.js';
import { FeedTable } from './feed-table.js';

export type Feeds = RouterOutputs['intelligence']['getFeeds'];

export function FeedsPage() {
  const query = useQuery(api.intelligence.getFeeds.queryOptions({}));
  return (
    <Page title="Feeds" answer={query.data ? feedsAnswer(query.data) : 'What the answers are made from.'}>
      <Loaded query={query}>
        {(answer) => (
          <>
            <Section title="Ecosystems">
              <Ecosystems ecosystems={answer.ecosystems} />
            </Section>
            <Section title="Feeds that are loaded">
              {answer.feeds.length === 0 ? (
                <Empty title="No feed is loaded.">
                  <p>Without advisories nothing can be matched, and no answer of “not affected” can be given.</p>
                </Empty>
              ) : (
                <FeedTable feeds={answer.feeds} />
              )}
            </Section>
            <Section title="How feeds are loaded">
              <p>
                {answer.next_sync_at === null ? (
                  'No daily load is scheduled. The operator of this server loads them:'
                ) : (
                  <>
                    The next daily load begins <Time at={answer.next_sync_at} />. The operator of this server can load
                    them at once:
                  </>
                )}
              </p>
              <CopyText text={ourCommand('postern feeds sync')} label="the command that loads the feeds" />
              {answer.next_sync_at === null && (
                <p>
                  With <code>FEEDS_SYNC=true</code> in the server’s environment they are loaded every day.
                </p>
              )}
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}
