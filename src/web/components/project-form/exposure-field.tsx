import { type Exposure, exposures } from '../../../shared/vulnerability-terms.js';
import { exposureMeanings, exposureWords } from '../../words.js';
import { RadioChoices } from '../choices/choices.js';

const choices = exposures.map((value) => ({
  value,
  label: exposureWords[value].charAt(0).toUpperCase() + exposureWords[value].slice(1),
  meaning: exposureMeanings[value],
}));

/** How far the project can be reached, each choice with what it means. The form's value is called `exposure`. */
export function ExposureField({ defaultValue = 'unknown' }: { readonly defaultValue?: Exposure }) {
  return (
    <RadioChoices
      name="exposure"
      legend="Exposure: how far can it be reached?"
      choices={choices}
      defaultValue={defaultValue}
    />
  );
}
