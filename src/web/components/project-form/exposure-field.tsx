import { useId } from 'react';
import { type Exposure, exposures } from '../../../shared/vulnerability-terms.js';
import { exposureMeanings, exposureWords } from '../../words.js';
import styles from './exposure-field.module.css';

/** How far the project can be reached, each choice with what it means. The form's value is called `exposure`. */
export function ExposureField({ defaultValue = 'unknown' }: { readonly defaultValue?: Exposure }) {
  const id = useId();
  return (
    <fieldset className={styles.field}>
      <legend>Exposure: how far can it be reached?</legend>
      {exposures.map((exposure) => (
        <label key={exposure} className={styles.choice}>
          <input
            type="radio"
            name="exposure"
            value={exposure}
            defaultChecked={exposure === defaultValue}
            aria-describedby={`${id}-${exposure}`}
          />
          <span>
            <strong>{exposureWords[exposure]}</strong>
            <span id={`${id}-${exposure}`} className={styles.meaning}>
              {exposureMeanings[exposure]}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
