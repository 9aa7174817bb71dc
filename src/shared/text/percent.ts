/** 0.0341 -> `3.4 %`; below 0.1 % two digits are kept, since there they tell small probabilities apart. */
export function percent(probability: number): string {
  const value = probability * 100;
  return `${value >= 0.1 ? value.toFixed(1) : value.toPrecision(2)} %`;
}
