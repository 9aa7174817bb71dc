import { Check } from 'lucide-react';
import type { RouterOutputs } from '../../../client/index.js';
import { Section } from '../../components/page/page.js';
import styles from './page.module.css';

type Plan = RouterOutputs['organisation']['get']['plan'];

const plans = ['Free', 'Business', 'Enterprise'] as const satisfies readonly Plan[];

/** What begins with which plan (specification, section 5, rules 7 and 10). */
const features: ReadonlyArray<{ readonly name: string; readonly from: Plan }> = [
  { name: 'Alerts, findings, fixes, webhooks, the audit log', from: 'Free' },
  { name: 'Posture, top risks and check_package for agents', from: 'Free' },
  { name: 'Verdicts: is it exploitable here, and why', from: 'Business' },
  { name: 'Overrides, usage reports and VEX statements', from: 'Business' },
  { name: 'SBOM and OpenVEX export', from: 'Enterprise' },
];

/** What the plan brings. Plans are changed by whoever runs this Postern. */
export function PlanTable({ plan }: { readonly plan: Plan }) {
  return (
    <Section title="Plan">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by the keyboard. */}
      <section className={styles.scroll} tabIndex={0} aria-label="What each plan brings">
        <table className={styles.plans}>
          <thead>
            <tr>
              <th scope="col">What it brings</th>
              {plans.map((each) => (
                <th key={each} scope="col" className={each === plan ? styles.mine : undefined}>
                  {each}
                  {each === plan && ' (yours)'}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {features.map(({ name, from }) => (
              <tr key={name}>
                <th scope="row" className={styles.feature}>
                  {name}
                </th>
                {plans.map((each) => (
                  <td key={each} className={each === plan ? styles.mine : undefined}>
                    {plans.indexOf(each) >= plans.indexOf(from) ? (
                      <Check className={styles.yes} role="img" aria-label="yes" />
                    ) : (
                      <span className={styles.quiet}>no</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles.quiet}>Who runs this Postern changes the plan.</p>
    </Section>
  );
}
